/** The runtime's command line up to the file to run. Throws where it is not installed. */
export function commandOf(runtime: "bun" | "deno" | "node"): readonly string[];
