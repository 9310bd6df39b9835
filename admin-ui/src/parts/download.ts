/** Offers text as a file. */
export function download(name: string, parts: readonly string[], type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([...parts], { type }));
  link.download = name;
  link.click();
  // The download has its own hold on the bytes by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
