import { notesOf } from "./notes.ts";
import { read, run, versionOf } from "./repository.ts";

/** Files that state the version of the service and of what is published with it. */
const OF_THIS_VERSION = [
  "package-lock.json",
  "packages/client/package.json",
  "packages/client/jsr.json",
  "packages/python/pyproject.toml",
  "packages/claude-code/.claude-plugin/plugin.json",
];

/** Model packages have versions of their own, since another model means other vectors. */
const MODELS = {
  "packages/multilingual/package.json": "src/adapters/multilingual-encoder/package-files.ts",
  "packages/token-model/package.json": "src/adapters/token-encoder/model-file.ts",
};

const WORDS_MAX = 600;
const PARTS = ["### Added", "### Changed", "### Fixed", "### Security"];

/** What stands in the way of a release, a sentence each. `tag`: the tag that it is made from, null for a rehearsal. */
export function problemsOf(tag: string | null): string[] {
  const version = versionOf("package.json");
  return [
    ...versionProblems(version),
    ...noteProblems(version),
    ...(tag === null ? [] : tagProblems(tag, version)),
  ];
}

function versionProblems(version: string): string[] {
  const others = OF_THIS_VERSION.filter((path) => versionOf(path) !== version).map(
    (path) => `${path} is of version ${versionOf(path)}, and package.json of ${version}.`,
  );
  const image = /^ +image: recollect:(.+)$/m.exec(read("docker-compose.yml"))?.[1];
  if (image !== version)
    others.push(`docker-compose.yml names the image ${image}, and package.json ${version}.`);
  const manifest = JSON.parse(read("package.json"));
  for (const [path, source] of Object.entries(MODELS)) {
    const { name } = JSON.parse(read(path));
    const wanted = { ...manifest.optionalDependencies, ...manifest.peerDependencies }[name];
    for (const [where, found] of Object.entries({ "package.json": wanted, [source]: versionOf(source) }))
      if (found !== versionOf(path))
        others.push(`${where} takes ${name} ${found}, which is ${versionOf(path)}.`);
  }
  return others;
}

function noteProblems(version: string): string[] {
  const notes = notesOf(version);
  if (notes === "") return [`CHANGELOG.md has nothing about ${version}: its notes are what users read.`];
  const problems = PARTS.some((part) => notes.includes(part))
    ? []
    : [`CHANGELOG.md has none of ${PARTS.join(", ")} for ${version}.`];
  const words = notes.split(/\s+/).length;
  if (words > WORDS_MAX)
    problems.push(
      `The notes of ${version} have ${words} words: more than two minutes to read (${WORDS_MAX}).`,
    );
  return problems;
}

function tagProblems(tag: string, version: string): string[] {
  const problems = tag === `v${version}` ? [] : [`The tag is ${tag}, and the version ${version}.`];
  if (notesOf("Unreleased") !== "")
    problems.push(
      `CHANGELOG.md has lines under "Unreleased": they belong to ${version}, or to no release yet.`,
    );
  if (run("git", ["status", "--porcelain"]) !== "")
    problems.push("The checkout has changes that are not committed.");
  return problems;
}
