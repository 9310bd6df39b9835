import { type ErrorCode, errorCodes } from "../../../src/contract/error.ts";

const HEAD = `# Errors

Every error is JSON with a machine code in \`code\` and a sentence for people in \`detail\`. Make decisions by the code: the
words may change, the codes do not. Each error leads to its section of this page: over REST by the header
\`Link: <…/docs/errors#CODE>; rel="help"\`, which the TypeScript client has as \`error.help\`; in MCP tool results by \`help\`, in
the structured content and in the text; on the command line by the last line of the message. With
\`Accept: application/problem+json\` you get a problem document (RFC 9457), whose \`type\` is \`urn:recollect:problem:CODE\`.

**A name that an operation does not know is not always an error.** One that is a letter away from a known one, or
says who or what is meant (\`user_id\`, \`project\`), is refused (\`validation_failed\`), and so is every one where something is
deleted. Any other is ignored, in a body and in a query string, and the answer's header names it, with what was probably
meant: \`X-Recollect-Ignored: contnet (did you mean content?)\`. \`curl -i\` shows the header; look at it while you
write a client. MCP tools refuse every argument that they do not have.

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
