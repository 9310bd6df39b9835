/** The files of deploy/: they are what Kubernetes and systemd take, and agree with the program and its image. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { settingNames } from "../../src/compose/config.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const read = (name: string) => readFileSync(join(repository, name), "utf8");
const { version } = JSON.parse(read("package.json")) as { version: string };

// biome-ignore lint/suspicious/noExplicitAny: manifests of every kind
type Manifest = any;

const FOLDER = "deploy/kubernetes";
const manifests: Manifest[] = readdirSync(join(repository, FOLDER))
  .filter((name) => name.endsWith(".yaml"))
  .sort()
  .flatMap((name) => parseAllDocuments(read(`${FOLDER}/${name}`)).map((document) => document.toJS()));
const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind);
const pods = manifests.flatMap((each) => (each.spec?.template ? [each.spec.template] : []));

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "recollect-deploy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What is wrong with manifests by Kubernetes' own schema, members that it does not know included; "" if nothing. */
function complaintsAbout(documents: readonly Manifest[]): string {
  const folder = temporaryFolder();
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  const text = documents.map(({ apiVersion, kind, ...rest }, at) => {
    const from = `import { ${kind} as M${at} } from "kubernetes-models/${apiVersion}/${kind}";`;
    return `${from}\nnew M${at}(${JSON.stringify(rest)}).validate();`;
  });
  writeFileSync(join(folder, "manifests.ts"), text.join("\n"));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  const flags =
    "--noEmit --strict --skipLibCheck --module nodenext --target es2022 --types node --ignoreConfig";
  const tsc = join(repository, "node_modules/.bin/tsc");
  const types = spawnSync(tsc, [...flags.split(" "), "manifests.ts"], { cwd: folder, encoding: "utf8" });
  const run = spawnSync(process.execPath, ["--import", "tsx", "manifests.ts"], {
    cwd: folder,
    encoding: "utf8",
  });
  return `${types.stdout}${run.stderr}`;
}

test("Kubernetes' schema knows every member of the manifests, and its values", () => {
  expect(manifests.length).toBeGreaterThanOrEqual(7);
  expect(complaintsAbout(manifests)).toBe("");
});

test.each([
  ["a member misspelt", "readinessProbe", "readinesProbe", "readinesProbe"],
  ["text where a number is to be", '"replicas":3', '"replicas":"three"', "replicas"],
])("the check finds %s", (_, from, to, named) => {
  const [deployment] = ofKind("Deployment");
  const broken = JSON.parse(JSON.stringify(deployment).replaceAll(from, to));
  expect(complaintsAbout([broken])).toContain(named);
});

test("each pod runs this version, without privileges, on a read-only root, with its secrets as files", () => {
  expect(pods).toHaveLength(2);
  for (const { spec } of pods) {
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    });
    for (const container of spec.containers) {
      expect(container).toMatchObject({
        image: `recollect:${version}`,
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        resources: { requests: expect.anything(), limits: { memory: expect.any(String) } },
      });
      for (const { name, value, valueFrom } of container.env) {
        expect(settingNames).toContain(name.replace(/_FILE$/, ""));
        expect(valueFrom).toBeUndefined();
        if (/KEY|PASSWORD|DATABASE_URL/.test(name)) expect(value).toMatch(/^\/run\/secrets\/recollect\//);
      }
      const files = container.env.filter(({ name }: Manifest) => name.endsWith("_FILE"));
      const { secretName } = spec.volumes.find(({ name }: Manifest) => name === "secrets").secret;
      const secret = ofKind("Secret").find(({ metadata }) => metadata.name === secretName);
      expect(Object.keys(secret.stringData).sort()).toEqual(
        files.map(({ value }: Manifest) => value.split("/").at(-1)).sort(),
      );
    }
  }
});

/** The longest that a server takes to stop once it is signalled: requests, work in the background, connections. */
const STOPS_WITHIN_SECONDS = 11 + 10 + 5;

test("servers have time to drain before they are killed, and one is taken at a time", () => {
  const [deployment] = ofKind("Deployment");
  const { containers, terminationGracePeriodSeconds } = deployment.spec.template.spec;
  const [{ lifecycle, readinessProbe, livenessProbe }] = containers;
  expect(terminationGracePeriodSeconds).toBeGreaterThan(
    lifecycle.preStop.sleep.seconds + STOPS_WITHIN_SECONDS,
  );
  expect(readinessProbe.httpGet.path).toBe("/readyz");
  expect(livenessProbe.httpGet.path).toBe("/healthz");
  expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
  expect(ofKind("PodDisruptionBudget")[0].spec.maxUnavailable).toBe(1);
  for (const { spec } of [...ofKind("PodDisruptionBudget"), ...ofKind("Service")])
    expect(deployment.spec.template.metadata.labels).toMatchObject(
      spec.selector.matchLabels ?? spec.selector,
    );
  const policy = ofKind("NetworkPolicy")[0].spec;
  expect(policy.policyTypes).toEqual(["Ingress", "Egress"]);
  for (const { metadata } of pods) expect(metadata.labels).toMatchObject(policy.podSelector.matchLabels);
});

const units = ["recollect.service", "recollect-migrate.service"];
const valuesOf = (unit: string, name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map((match) => match[1] as string);

test.each(units)(
  "%s names settings that there are, secrets as files, and programs that are there",
  (name) => {
    const unit = read(`deploy/systemd/${name}`);
    for (const setting of valuesOf(unit, "Environment"))
      expect(settingNames).toContain((setting.split("=")[0] as string).replace(/_FILE$/, ""));
    const [, ...programs] = (valuesOf(unit, "ExecStart")[0] as string).split(" ");
    const program = (programs[0] as string).replace("/srv/recollect/", "");
    expect(read(program)).toContain("launch(");
    expect(valuesOf(unit, "LoadCredential").map((line) => line.split(":")[0])).toEqual(
      valuesOf(unit, "Environment").flatMap((line) => /_FILE=%d\/(.+)$/.exec(line)?.[1] ?? []),
    );
    expect(unit).toMatch(/^NoNewPrivileges=yes$/m);
  },
);

test("systemd gives the server time to drain, and signals the launcher alone", () => {
  const unit = read("deploy/systemd/recollect.service");
  const drain = Number(/DRAIN_SECONDS=(\d+)/.exec(unit)?.[1]);
  expect(Number(valuesOf(unit, "TimeoutStopSec")[0])).toBeGreaterThan(drain + STOPS_WITHIN_SECONDS);
  expect(valuesOf(unit, "KillMode")).toEqual(["mixed"]);
});

test.each(units)(
  "where systemd is at hand, it takes %s, and finds little that the unit could still do",
  (name) => {
    if (spawnSync("systemd-analyze", ["--version"]).status !== 0) return;
    const file = join(temporaryFolder(), name);
    // The program has to be there for it.
    writeFileSync(file, read(`deploy/systemd/${name}`).replaceAll("/usr/bin/node", process.execPath));
    const verified = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
    expect(verified.stderr).toBe("");
    expect(verified.status).toBe(0);
    const rated = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", file]);
    expect(rated.status).toBe(0);
  },
);

test("the compose file migrates by the owner's role, and serves by one that owns nothing", () => {
  const { services } = parse(read("docker-compose.yml")) as { services: Record<string, Manifest> };
  expect(services.migrate.command).toEqual(["recollect", "migrate", "--grant-to", "recollect_app"]);
  expect(services.migrate.environment.DATABASE_URL).toContain("//recollect:");
  expect(services.recollect.environment).toMatchObject({
    MIGRATE_ON_START: "off",
    DATABASE_URL: expect.stringContaining("//recollect_app:"),
  });
  expect(services.recollect.depends_on.migrate.condition).toBe("service_completed_successfully");
  expect(Number.parseInt(services.recollect.stop_grace_period, 10)).toBeGreaterThan(STOPS_WITHIN_SECONDS);
});
