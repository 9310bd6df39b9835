import { type ErrorCode, errorCodes } from "../../src/contract/error.ts";

const HEAD = `# Errors

Every refusal is JSON with a machine code in \`code\` and a sentence for people in \`detail\`. Decide by the code: the words
may change, the codes do not. Each refusal names its section of this page in a header,
\`Link: <…/docs/errors#CODE>; rel="help"\`; the TypeScript client has that address as \`error.help\`. With
\`Accept: application/problem+json\` you get a problem document (RFC 9457), whose \`type\` is \`urn:recollect:problem:CODE\`.

<!-- Made from src/contract/error.ts by \`npm run docs:pages\`. -->
`;

/** docs/errors.md: every code with what it comes from and what to do about it. Its anchors are the codes. */
export function errorsPage(): string {
  const sections = (Object.keys(errorCodes) as ErrorCode[]).sort().map((code) => {
    const { status, title, cause, cure } = errorCodes[code];
    return `## ${code}\n\n**${status}. ${title}.**\n\n*Cause:* ${cause}\n\n*What to do:* ${cure}\n`;
  });
  return [HEAD, ...sections].join("\n");
}
