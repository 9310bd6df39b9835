/** Settings and arguments that name files and folders, and what is said of those that cannot be used. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { dataFolderProblem, prepareDataFolder } from "../../src/adapters/embedded-postgres/data-folder.ts";
import { explainFileFailure } from "../../src/adapters/embedded-postgres/errors.ts";
import { readConfig } from "../../src/compose/config.ts";
import { NO_DATABASE, recollectHere } from "../cli/cli.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "recollect-paths-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("~ at the beginning of a path", () => {
  test.each([
    ["~", homedir()],
    ["~/.recollect", `${homedir()}/.recollect`],
    ["~/a/~/b", `${homedir()}/a/~/b`],
    ["./~", "./~"],
    ["a/~", "a/~"],
    ["/srv/~x", "/srv/~x"],
  ])("DATA_DIR=%s is %s", (given, meant) => {
    expect(readConfig({ DATA_DIR: given }).dataDir).toBe(meant);
  });

  test.each(["DATA_DIR", "DATABASE_CA_FILE", "ELASTICSEARCH_CA_FILE", "EMBEDDING_API_KEY_FILE"])(
    "%s does not take the home of another user",
    (setting) => {
      expect(() => readConfig({ [setting]: "~ada/x" })).toThrow(
        new RegExp(`${setting}: must not begin with ~ and a name: write the whole path, or \\./~name`),
      );
    },
  );

  test("files of secrets and certificates are looked for in the home folder", () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "key"), "0123456789abcdef0123456789abcdef\n");
    vi.stubEnv("HOME", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(readConfig({ BOOTSTRAP_API_KEY_FILE: "~/key" }).bootstrapApiKey).toBe(
      "0123456789abcdef0123456789abcdef",
    );
    const ca = { DATABASE_URL: "postgres://db/x", DATABASE_CA_FILE: "~/key" };
    expect(() => readConfig(ca)).toThrow("DATABASE_CA_FILE: this file holds no certificate in PEM.");
  });

  test("arguments of commands are read so too", async () => {
    const { stderr } = await recollectHere(["import", "~ada/x.jsonl"], NO_DATABASE);
    expect(stderr).toContain("It must not begin with ~ and a name");
    const folder = await recollectHere(["connect", "cursor", "--folder=~ada", "--dry-run"], NO_DATABASE);
    expect(folder.stderr).toContain("It must not begin with ~ and a name");
    const none = await recollectHere(["import", "~/.no-such-file.jsonl"], NO_DATABASE);
    expect(none.stderr).toContain(join(homedir(), ".no-such-file.jsonl"));
  });
});

describe("a data folder that cannot be used says what is in its way, and what to do", () => {
  const said = (dataDir: string): string => {
    try {
      prepareDataFolder(dataDir);
      return "";
    } catch (failure) {
      return (explainFileFailure(dataDir, failure) as Error).message;
    }
  };
  const cases: [string, (home: string) => { dataDir: string; why: string; advice?: string }][] = [
    ["a file", (home) => ({ dataDir: `${home}/file`, why: `${home}/file is not a folder` })],
    ["below a file", (home) => ({ dataDir: `${home}/file/a/b`, why: `${home}/file is not a folder` })],
    ["a link to a file", (home) => ({ dataDir: `${home}/to-file`, why: `${home}/to-file is not a folder` })],
    ["a link to nothing", (home) => ({ dataDir: `${home}/gone`, why: `${home}/gone is a link to nothing` })],
    [
      "below such a link",
      (home) => ({ dataDir: `${home}/gone/a`, why: `${home}/gone is a link to nothing` }),
    ],
    [
      "a loop",
      (home) => ({ dataDir: `${home}/loop`, why: `${home}/loop is a link that leads back to itself` }),
    ],
    [
      "too long a name",
      (home) => ({
        dataDir: `${home}/${"x".repeat(300)}`,
        why: "the name is longer than the file system allows",
        advice: "Choose a shorter DATA_DIR.",
      }),
    ],
  ];
  test.each(cases)("%s", (_, make) => {
    const home = temporaryFolder();
    writeFileSync(join(home, "file"), "");
    symlinkSync(join(home, "file"), join(home, "to-file"));
    symlinkSync(join(home, "nowhere"), join(home, "gone"));
    symlinkSync(join(home, "loop"), join(home, "loop"));
    const { dataDir, why, advice = "Choose another DATA_DIR." } = make(home);
    expect(said(dataDir)).toBe(`The data folder ${dataDir} cannot be used: ${why}. ${advice}`);
    expect(dataFolderProblem(dataDir)).toEqual({ why, advice });
  });

  test("a parent that is missing is made", () => {
    expect(said(join(temporaryFolder(), "a/b/data"))).toBe("");
  });

  test("a path that is too long for a socket has its socket elsewhere", () => {
    const dataDir = join(temporaryFolder(), "long".repeat(40));
    const { socket } = prepareDataFolder(dataDir);
    expect(socket.startsWith(dataDir)).toBe(false);
    expect(Buffer.byteLength(socket)).toBeLessThan(104);
  });

  /** Root may write everywhere: another user is needed to be refused. */
  test.runIf(process.platform === "linux" && process.getuid?.() === 0)(
    "one that this user may not write",
    () => {
      const home = temporaryFolder();
      chmodSync(home, 0o755);
      mkdirSync(join(home, "ours"), { mode: 0o755 });
      const program = `
        import { dataFolderProblem } from "./src/adapters/embedded-postgres/data-folder.ts";
        process.setuid(65534);
        process.stdout.write(JSON.stringify(dataFolderProblem(process.argv[1])));`;
      const problemOf = (dataDir: string) =>
        spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program, dataDir], {
          encoding: "utf8",
        });
      for (const dataDir of [join(home, "ours"), join(home, "ours/a/b")]) {
        expect(JSON.parse(problemOf(dataDir).stdout)).toEqual({
          why: `this user may not enter or write ${home}/ours`,
          advice: "Give this user the right to, run as its owner, or choose another DATA_DIR.",
        });
      }
    },
  );

  test("doctor says the same", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const { stdout } = await recollectHere(["doctor", "--json"], { DATA_DIR: join(file, "data"), PORT: "0" });
    const { findings } = JSON.parse(stdout) as { findings: { check: string; found: string }[] };
    expect(findings.find(({ check }) => check === "data folder")?.found).toBe(`${file} is not a folder`);
  });
});
