/** Entries and questions by another hand, which knew neither the rules nor the frames. */
export const THIRD_SET = String.raw`
postfix/smtp[22817]: 4F1C2A: to=<irene@fjordmail.no>, relay=none, delay=432000, status=bounced (mailbox full) => whose inbox had no room left so our mail came back?
kernel: Out of memory: Killed process 30188 (clickhouse-serv) total-vm:48211904kB, anon-rss:30122880kB => Which process did the OOM killer take down?
W1009 03:14:22 node_controller.go:811 node ip-10-4-7-19 status NotReady, kubelet stopped posting node status => which k8s node went silent during the night
nginx: [emerg] bind() to 0.0.0.0:8443 failed (98: Address already in use) => web server wouldn't start because a port was taken
{"event":"chargeback","card_last4":"7731","amount":129.95,"merchant":"Bluebird Ceramics","reason":"item not received"} => Who disputed a pottery purchase because nothing arrived?
ALTER TABLE passengers ADD COLUMN dietary_code CHAR(4) DEFAULT 'NONE' AFTER seat_no; => migration for meal preferences of travellers
2024-02-11T06:41:09Z smartd: Device /dev/sdc, 24 Currently unreadable (pending) sectors => disk that is starting to fail
sku,desc,qty,bin\nHX-2290,"hex bolt M8 zinc",14000,R7-S03 => where do we keep the M8 bolts
Traceback (most recent call last):\n  File "tide_model.py", line 88, in interpolate\nValueError: x_new is below the interpolation range => tide script crash, value out of range
GET /wp-login.php HTTP/1.1" 404 153 "-" "python-requests/2.28" 185.220.101.4 => someone scanning us for WordPress
[Elevator 3] door reopen count 11 within 60s, obstruction sensor B blocked, car held at floor 6 => Why did the lift get stuck on the sixth floor?
error[E0502]: cannot borrow 'pool' as mutable because it is also borrowed as immutable\n  --> src/arena.rs:214:9 => borrow checker complaint in the arena
ospfd[614]: neighbor 172.31.0.6 on eth3 changed state Full -> Down (dead timer expired) => routing adjacency lost
Ledger 2023-09-30 | Dr 6120 Travel | Cr 2010 Payables | EUR 1,884.20 | Lisbon offsite hotels => how much did lodging in Portugal cost us
zigbee2mqtt: Device 'greenhouse_valve_2' failed to respond to ping, last seen 9h ago => irrigation valve offline
CREATE UNIQUE INDEX CONCURRENTLY idx_members_email_lower ON members (lower(email)); => How do we enforce case-insensitive unique addresses for members?
ERROR 1213 (40001): Deadlock found when trying to get lock; try restarting transaction [worker=seat-allocator] => seat allocator deadlock
Strict-Transport-Security: max-age=63072000; includeSubDomains; preload => HSTS setting, two years
FAIL: TestParseRomanNumerals/MCMXC (0.00s)\n    roman_test.go:41: got 2010, want 1990 => which roman numeral did the parser get wrong
[GNSS] fix lost at 58.9712N 5.7331E, sats=3 hdop=12.8, switching to dead reckoning => When satellite positioning dropped out, what did the boat fall back on?
systemd[1]: backup-photos.timer: Adding 2h 11min 6.402s random delay. => why does the photo backup start at odd times
BUILD FAILED in 3m 12s\nExecution failed for task ':app:mergeReleaseResources'. Duplicate resource: drawable/ic_sunrise => android build broken by an icon defined twice
docker: Error response from daemon: pull access denied for acme/label-printer, repository does not exist or may require 'docker login' => couldn't fetch the label printer image
haproxy[77]: Server be_search/solr2 is DOWN, reason: Layer7 wrong status, code: 503, 1 active and 0 backup servers left => search backend failing health checks at the load balancer
timestamp,sensor,pm25,pm10\n2024-07-05T01:10,roof-east,188.4,240.9 => how bad was the air on the roof after the fireworks
CONFIG_BT_CTLR_TX_PWR_PLUS_8=y\nCONFIG_BT_MAX_CONN=3\nCONFIG_BT_DEVICE_NAME="PetTag" => How many simultaneous bluetooth connections does the pet tag allow?
mysqldump: Error 2020: Got packet bigger than 'max_allowed_packet' bytes when dumping table scans at row: 4411 => dump aborted, row too large
fatal: refusing to merge unrelated histories => git would not combine two repos that share no commits
Alert: CertExpirySoon host=checkout.tulipshop.nl days_left=6 issuer="R3" => TLS renewal of the flower shop
unity: NullReferenceException at GrapplingHook.Release() (Assets/Scripts/GrapplingHook.cs:57) frame=18220 => grapple crash when letting go
cron[1402]: (reports) CMD (/opt/bin/payroll_export --month prev --out /srv/hr) => what job writes the salary files for HR
SELECT region, percentile_cont(0.5) WITHIN GROUP (ORDER BY wait_min) FROM er_visits GROUP BY region; => query for median emergency room waiting time
auditd: type=AVC msg=denied { write } for pid=5121 comm="grafana" path="/var/lib/plugins" scontext=grafana_t => SELinux stopped the dashboard tool from writing
{"turbine":"T14","yaw_error_deg":9.2,"wind_ms":17.1,"state":"derated","cause":"yaw misalignment"} => Why was a wind turbine producing less than it should?
vsftpd: [supplier_kato] OK UPLOAD: Client "198.51.100.23", "/in/catalogue_spring.zip", 88213400 bytes => did Kato send us their spring catalogue?
npm ERR! ERESOLVE unable to resolve dependency tree\nnpm ERR! peer react@"^17" from react-dropzone-plus@2.0.1 => which package still insists on the old React
redis: MISCONF Redis is configured to save RDB snapshots, but is currently unable to persist on disk => cache refuses writes since it cannot save snapshots
2024-01-19 22:07:55 [Server thread/WARN]: Can't keep up! Is the server overloaded? Running 5210ms or 104 ticks behind => minecraft lag
CNAME docs.halyard.dev halyard-docs.pages.example.net TTL 300 => dns record for the documentation site
terraform: Error: Error locking state: ConditionalCheckFailedException, lock held by jenkins@ci-04 since 2024-03-02 => who is holding the infra state lock
<measurement lot="A771" ph="4.12" brix="21.8" ethanol="0.4" taken="2023-09-14"/> => grape sugar level of that lot at harvest
if (battery_mv < 3300) { enter_ship_mode(); } /* cells below this swell */ => At what voltage does the gadget shut itself off to protect the battery?
ERROR: insert or update on table "loans" violates foreign key constraint "loans_book_id_fkey"\nDETAIL: Key (book_id)=(90417) is not present in table "books". => library loan pointing to a book that isn't there
X-RateLimit-Limit: 5000\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1712001600 => api quota used up
pptpd-ups: upsmon: UPS rackups@localhost on battery, charge 37%, runtime 540s => how long would the rack last when the mains failed
LNK2019: unresolved external symbol "void __cdecl fft_plan_free(struct plan *)" referenced in function spectrogram_close => linker can't find the FFT cleanup function
gerrit: Change 48120 'Drop IE11 polyfills' submitted by m.okafor, 3 files, -1204 lines => Who removed the support code for Internet Explorer?
Modbus exception 0x02 (illegal data address) slave=17 func=3 reg=40512 boiler_feed_pump => feed pump register read refused
location ~* \.(mp4|webm)$ { limit_rate_after 5m; limit_rate 800k; } => how is video download throttled?
spark: Stage 12 contains a task of very large size (3187 KiB). Lost task 44.3: ExecutorLostFailure (heartbeat timed out after 120000 ms) => executor dropped because it stopped sending heartbeats
pos-terminal 0412: cash drawer opened without sale, operator=tamsin, 21:58:03 => till opened with no purchase
"invoice_no";"kunde";"netto";"mwst"\n"RE-20931";"Brauerei Hollenbeck";"4.310,00";"818,90" => VAT on the brewery bill
qemu-system-aarch64: -drive file=rootfs.img: Failed to get "write" lock. Is another process using the image? => emulator won't boot, image locked
Warning: React has detected a change in the order of Hooks called by SeatPicker. => component that calls its hooks inconsistently
I/flutter (8812): type 'Null' is not a subtype of type 'String' in type cast (PodcastEpisode.fromJson) => podcast app blows up when a JSON field is missing
fail2ban.actions: NOTICE [dovecot] Ban 45.148.10.92 => which address got banned for hammering IMAP?
samba: check_ntlm_password: Authentication for user [scanner-3rdfloor] FAILED with error NT_STATUS_PASSWORD_EXPIRED => scanner can't save to the share any more
job 771204 slurmstepd: error: *** STEP CANCELLED AT 2024-05-08T04:00:11 DUE TO TIME LIMIT *** name=lattice_qcd_b6 => lattice QCD run hit its wall clock
EXPLAIN: Seq Scan on telemetry (cost=0.00..881204.10 rows=40120033) Filter: (vin = 'WVWZZZ1J') => slow lookup by vehicle number, no index
2024-06-01 PAYOUT acct=NZ-3301 "Kiwi Alpaca Co-op" NZD 22,140.75 status=HELD reason=KYC_DOC_MISSING => Why didn't the alpaca farmers get their money?
asterisk: chan_sip.c: Registration from '"reception"<sip:200@pbx>' failed for '192.168.9.40' - Wrong password => front desk phone not registering
arn:aws:s3:::glacier-core-scans lifecycle rule "to-deep-archive" Days=45 StorageClass=DEEP_ARCHIVE => After how long are the ice core scans moved to cheap storage?
ventilator V-22: alarm HIGH_PAW peak=46cmH2O limit=40 ack=nurse_station_2 11:52 => airway pressure alarm
rsync: [sender] write error: Broken pipe (32)\nrsync error: error in file IO (code 11) at io.c(848) target=tapehost::newsreel => newsreel copy to the tape machine broke off
OSError: [Errno 24] Too many open files: '/data/tiles/14/8712/5680.pbf' => map tile server ran out of file descriptors
git bisect: 9be41d7 is the first bad commit\nAuthor: Petra Lindqvist\n    Use float32 for orbit propagation => what change made the orbits wrong?
kafka: [GroupCoordinator] Member consumer-parcels-3 in group parcels has failed, removing it; rebalance generation 918 => parcel consumer kicked out of its group
let sunrise = Solar.rise(lat: 69.65, lon: 18.96, on: day) ?? .polarNight // Tromsø in December => code for places where the sun doesn't come up
PLC01 E-STOP pressed at palletizer infeed, zone 4 power removed, operator badge 5561 => Who hit the emergency button at the palletizer?
cloudfront 2024-04-22 06:00 invalidation I2J9Q created paths=/img/menu/* caller=restaurant-cms => purge of the cached menu pictures
ModuleNotFoundError: No module named 'rasterio._shim' (python3.11, container geo-worker:1.8) => geo worker import failure
mdadm: Rebuild finished on /dev/md2, mismatch_cnt 0, elapsed 7h44m => how long did the array rebuild take
Content-Security-Policy: frame-ancestors https://intranet.velomax.ch; object-src 'none' => Which site may embed us in an iframe?
player 'zed_kobold' flagged: 214 headshots in 9 rounds, avg reaction 38ms, action=shadowban => cheater with inhuman reaction time
VACUUM (VERBOSE) chat_messages: removed 88123411 dead row versions in 1220114 pages => cleaning up bloat in the chat table
FAA strip: N482KP KBOI..KSUN filed 9500 amended 11500 due icing, squawk 4631 => reason that flight asked for a higher altitude
E AndroidRuntime: java.lang.SecurityException: Neither user 10231 nor current process has android.permission.POST_NOTIFICATIONS => push messages not shown, permission missing
snapcast: client 'kitchen' latency 220ms exceeds buffer, resyncing => music out of step in one room
VLAN 340 name LABNET-MICROSCOPES\n interface Gi1/0/14\n  switchport access vlan 340 => which switch port are the microscopes on
ORA-01555: snapshot too old: rollback segment number 9 with name "_SYSSMU9$" too small => Oracle lost the undo data during a long read
CI: coverage dropped from 84.1% to 71.9% on branch feat/loyalty-points, gate is 80% => merge blocked because not enough of the loyalty feature is tested
thermostat_7f: setpoint 19.0 -> 23.5 by remote user "grandma_ipad" 04:12 => who turned the heating up before dawn?
Segmentation fault (core dumped) ./midi_router -d /dev/snd/midiC2D0 (signal 11, addr 0x18) => midi program crashed
PRAGMA journal_mode=WAL; PRAGMA busy_timeout=7500; -- kiosk.db => How long does the kiosk database wait for a lock?
sha256 mismatch for firmware toothbrush_v3.4.1.bin: expected 9fa0c1, got 00b7de, aborting OTA => toothbrush update refused, bad checksum
[2024-03-31 02:00:00 -> 03:00:00] scheduler: skipped job 'milk_collection_route', local time does not exist (DST) => which job didn't run when the clocks changed
webpack: asset size limit: vendor.8c1f.js (2.41 MiB) exceeds the recommended limit (244 KiB) => javascript bundle too fat
"rules": { "eqeqeq": "error", "no-console": ["warn", { "allow": ["error"] }] } => are we allowed to print to the console according to lint?
0x3A CAN frame lost 17 times, ABS module unreachable, dashboard lamp lit, odo=88214 => brake controller not talking on the bus
elasticsearch: flood stage disk watermark [95%] exceeded on [es-hot-2], all indices on this node will be marked read-only => index went read only, disk nearly full
DELETE FROM carts WHERE updated_at < now() - interval '21 days' AND checked_out = false; => when do abandoned baskets get thrown away
Subject: [PagerDuty] RESOLVED #5521 Checkout latency p99 > 4s, resolved by Dmitri after flag 'gift_wrap' off => what fixed the slow checkout?
Scanner: sample 0093-B rejected, hemolyzed, redraw requested, phlebotomist notified => blood sample that has to be taken again
func Backoff(n int) time.Duration { return min(30*time.Second, 250*time.Millisecond<<n) } => Longest pause between retries in the Go helper
wpa_supplicant: wlan0: CTRL-EVENT-ASSOC-REJECT bssid=a4:2b:b0:11:9c:02 status_code=17 (AP full) => wifi join refused as too many clients
FIX 8=FIX.4.4|35=3|45=118|58=Required tag missing: 55|371=55 => order message rejected for lacking the symbol
k6: checks 96.20% http_req_failed 3.80% vus=1500 scenario=ticket_onsale => error rate in the load test of the concert sale
AuthorizationError: principal sp-nightly-etl lacks role 'Key Vault Secrets User' on kv-prod-westeu => etl can't read azure secrets
mqtt: client cowcollar-118 rumination=312min temp=40.3C alert=fever => sick cow
openvpn: VERIFY ERROR: depth=0, error=CRL has expired: CN=branch-oslo => branch tunnel down, revocation list out of date
pg_basebackup: could not connect to server: FATAL: number of requested standby connections exceeds max_wal_senders (currently 3) => Why couldn't another replica be seeded?
Xcode: Provisioning profile "RunCoach AdHoc" doesn't include the currently selected device "Mei's iPhone" => can't install the running app on Mei's phone
SpectraLog: detector saturated at 632.8 nm, integration lowered 400ms to 50ms, run 0077 => exposure reduced for the laser line
jenkins: Agent win-build-2 went offline: java.io.IOException: There is not enough space on the disk => windows build machine dropped out
2024-08-14 route 61 bus 2207 GTFS-RT delay=+1140s cause=CONSTRUCTION stop=Harbour Sq => how late was the 61 because of roadworks
SPF fail: mail from newsletter@bakehouse.ie via 192.0.2.61 not permitted by v=spf1 include:_spf.mailer.ie -all => Newsletters of the bakery landing in spam, sender IP not authorised
.PHONY: flash\nflash: build/kiln.hex\n\tavrdude -c usbasp -p m328p -U flash:w:$< => make target for programming the kiln controller
loan_id=55102 days_past_due=91 bucket=NPL provision_rate=0.45 rerated_by=batch_0630 => loan moved to non-performing
consul: agent: Check "service:wiki" is now critical: Get http://127.0.0.1:8090/health: context deadline exceeded => wiki health probe timing out
printer hp-legal: 13.B2.D1 jam in tray 2, 4 jobs queued, oldest "lease_draft.pdf" => which document was waiting behind the paper jam
gunicorn: [CRITICAL] WORKER TIMEOUT (pid:4410) request /export/herbarium.csv took 31s => plant collection download killed the worker
VK_ERROR_DEVICE_LOST after vkQueueSubmit in shadow pass, driver 535.86, level=catacombs => In which level does the GPU hang?
Access-Control-Allow-Origin: https://quiz.learnly.app\nAccess-Control-Max-Age: 600 => cross-origin rule for the quiz frontend
ntpd: time reset -3.812044 s, synchronized to 10.20.0.5, stratum 2 => how far was the clock off
ansible: TASK [sysctl : raise somaxconn] changed: [edge-fra-1] net.core.somaxconn 128 to 4096 => listen backlog increased on the Frankfurt box
coffee_bot: descale due, 498 shots since last cycle, pump pressure 7.1 bar => espresso machine needs cleaning
stripe webhook evt_1P2x: signature verification failed, timestamp outside tolerance (612s) => webhook rejected because it was too old
xrandr: cannot find mode 3840x1100 on output DP-3 (signage-lobby) => lobby screen resolution not available
celery: Task thumbnails.render_tiff[c1d0] raised unexpected: DecompressionBombError (412M pixels) => picture too huge to make a preview of
GRANT SELECT ON ALL TABLES IN SCHEMA census TO analyst_ro; REVOKE CREATE ON SCHEMA census FROM PUBLIC; => What can analysts do with the census data?
`;
