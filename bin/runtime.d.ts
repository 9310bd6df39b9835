export function commandOf(runtime: string): string[];
export function has(runtime: string): boolean;
