// What .ci/run needs to know of vitest's JSON reports.
//
//   slowest FOLDER                 the files that took longest, with their seconds
//   failed-files REPORT            the test files that failed, one a line; none where there is no report
//   sum FOLDER PASSED FAILURE...   names what failed, was skipped or is flaky, from the folder's reports and the
//                                  failures given; the last line is "N passed, N failed"
//
// Beside NAME.json may lie NAME-again.json, of its failed files run once more: that is what counts for those files,
// and a test that failed only the first time is flaky.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

const LINES_OF_A_MESSAGE = 8;
const SLOWEST = 40;

/** The results of each test file; none where there is no report. */
function resultsByFile(report) {
  if (!existsSync(report)) return new Map();
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  return new Map(testResults.map((file) => [relative(process.cwd(), file.name), resultsOf(file)]));
}

function resultsOf(file) {
  const results = file.assertionResults.map(({ fullName, status, failureMessages }) => ({
    name: fullName.trim(),
    status: status === "passed" || status === "failed" ? status : "skipped",
    message: failureMessages.join("\n"),
  }));
  if (file.status !== "failed" || results.some(isFailed)) return results;
  // No test is to blame when a hook or an import fails: vitest fails the file then, and skips its tests or not.
  const message = file.message || "The log has its error.";
  return [...results, { name: "(a hook, or the file itself)", status: "failed", message }];
}

const isFailed = ({ status }) => status === "failed";

function printFailedFiles(report) {
  for (const [file, results] of resultsByFile(report)) if (results.some(isFailed)) console.log(file);
}

function printSlowest(folder) {
  const rows = [];
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    const { testResults } = JSON.parse(readFileSync(join(folder, name), "utf8"));
    for (const { name: file, startTime, endTime } of testResults)
      rows.push({ seconds: (endTime - startTime) / 1000, file: relative(process.cwd(), file), run: name.slice(0, -5) });
  }
  rows.sort((a, b) => b.seconds - a.seconds);
  for (const { seconds, file, run } of rows.slice(0, SLOWEST))
    console.log(`${seconds.toFixed().padStart(6)} s  ${file} (on ${run})`);
}

function printSum(folder, passedBefore, failures) {
  const rows = [];
  const runs = readdirSync(folder).flatMap((name) => /^(.+)(?<!-again)\.json$/.exec(name)?.[1] ?? []);
  for (const run of runs) {
    const again = resultsByFile(join(folder, `${run}-again.json`));
    for (const [file, first] of resultsByFile(join(folder, `${run}.json`))) {
      const counted = again.get(file) ?? first;
      const isMended = ({ name }) => counted.every((row) => row.name !== name || row.status === "passed");
      const flaky = first.filter(isFailed).filter(isMended);
      const marked = flaky.map((row) => ({ ...row, status: "flaky" }));
      rows.push(...[...counted, ...marked].map((row) => ({ ...row, where: `${file} > ${row.name} (on ${run})` })));
    }
  }
  for (const status of ["skipped", "flaky", "failed"])
    for (const row of rows) if (row.status === status) print(row);
  for (const failure of failures) console.log(`failed: ${failure}`);
  // A skip counts as a failure: the machine has all that the tests need.
  const failed = failures.length + rows.filter(({ status }) => status === "failed" || status === "skipped").length;
  const passed = passedBefore + rows.filter(({ status }) => status === "passed").length;
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0;
}

function print({ status, where, message }) {
  console.log(`${status}: ${where}`);
  const lines = stripVTControlCharacters(message).split("\n").filter((line) => /^(?!.*\/node_modules\/).*\S/.test(line));
  for (const line of lines.slice(0, LINES_OF_A_MESSAGE)) console.log(`    ${line.trimEnd()}`);
}

const [command, subject, passed, ...failures] = process.argv.slice(2);
if (command === "failed-files") printFailedFiles(subject);
else if (command === "slowest") printSlowest(subject);
else process.exitCode = printSum(subject, Number(passed), failures) ? 0 : 1;
