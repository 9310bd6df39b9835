/** Notes and questions in other forms than those of the frames. */
export const SECOND_SET = String.raw`
panic: runtime error: index out of range [3] with length 3\ngoroutine 41 [running]:\nmain.(*Ring).At(...)\n\t/srv/ring/ring.go:88 => Which Go file has an off-by-one?
CORS on the staging API only allows https://app.example.test; the preview URLs are blocked on purpose. => Why can preview deployments not call staging?
Postgres needs "create extension pg_trgm" before migration 0042 or it aborts halfway. => What must be installed in the database first?
make release wants GPG_KEY_ID in the environment, otherwise it signs nothing and still exits 0. => Why are our release artifacts unsigned?
git bisect says 9f3c1e2 introduced the flicker: requestAnimationFrame was called twice. => Which commit made the screen flicker?
The Rust crate must be built with -C target-cpu=x86-64-v2, newer instructions crash on the old NAS. => Illegal instruction on the storage box
docker compose up fails on M1 until platform: linux/amd64 is set for the mssql service. => Running SQL Server on an Apple laptop
We decided against GraphQL; REST plus ETags covers what the mobile team needs. => Which API style was rejected?
nginx buffers SSE. proxy_buffering off in location /stream fixed the delayed tokens. => Events arrive all at once instead of one by one
HTTP 429 from the geocoder after 50 lookups a minute; we now sleep 1300 ms between calls. => How do we stay under the limit of the address service?
Feature toggles live in LaunchPad under "kestrel-*", and flipping them needs no deploy. => Where do I switch experiments on?
npm ci --omit=optional breaks sharp, leave optional dependencies in. => Images cannot be resized after a lean install
Traceback (most recent call last):\n  File "etl/load.py", line 61, in load\nUnicodeDecodeError: 'utf-8' codec can't decode byte 0xe9 => Loading fails on accented characters
The integration suite wants at least 6 GB; with 4 the JVM gets OOM-killed at "indexing fixtures". => How much RAM for the integration tests?
Cron on prod is in America/Toronto, hence the report at 02:00 there is 06:00 or 07:00 UTC. => In which time zone do scheduled jobs run?
useEffect in CartBadge lacked a dependency on locale, so prices stayed in dollars. => Currency does not change with the language
ALTER TABLE ledger ADD COLUMN locked_for 11 minutes; use the expand and contract script next time. => How long was the ledger blocked?
Terraform state is in bucket tf-state-ams, lock table tf-locks. Never run apply from a laptop. => From where may infrastructure be changed?
Mutation score of the pricing package is 71 %, survivors are all in rounding. => Which logic do our unit tests hardly check?
S3 uploads above 5 GB need multipart; the SDK does not do it for putObject. => Sending very large files to object storage
The old session cookie is called sid_v1, the new one __Host-sid; both are accepted until June. => What is the login cookie named from now on?
Playwright: page.waitForTimeout was hiding a race with the toast. Await the response instead. => How was the flaky browser check repaired?
kubectl rollout undo deploy/ingest --to-revision=17 is the known-good state. => To which revision can I roll back ingest?
Redis maxmemory-policy was allkeys-lru, which evicted our locks. It is noeviction now. => Locks vanished under memory pressure
Swift build: error: no such module 'Crypto'. Fixed by removing the derived data. => The iOS project does not compile
Licence scan flags libfoo (AGPL). Legal says no. Replace with libbar. => Why did we drop a dependency?
The webhook signature is computed over the raw body; JSON.parse before verifying breaks it. => Payments callback is rejected as forged
ESLint rule no-floating-promises is off in scripts/ only. => Where may promises go unawaited?
Port 9229 is taken by the debugger of the other checkout, use --inspect=0. => Two debuggers at once
Cache-Control: immutable on index.html locked users to the old bundle for a day. => Customers still saw the previous version after a deploy
The benchmark is only stable with the governor on performance and turbo disabled. => Measurements vary too much
gRPC messages are capped at 4 MiB; the exporter splits batches at 3.5. => Biggest allowed RPC payload
SELECT ... FOR UPDATE SKIP LOCKED is how the job table gives each consumer its own rows. => How do several consumers avoid taking the same task?
`;
