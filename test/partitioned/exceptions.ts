/** Statements that touch more than one partition, by their first words, and why. */
export const EXCEPTIONS: readonly { readonly begins: string; readonly why: string }[] = [];
