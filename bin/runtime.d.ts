export function commandOf(runtime: string): string[];
