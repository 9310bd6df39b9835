/** Entries and questions in other forms than those of the frames. */
export const SECOND_SET = String.raw`
kernel: [88123.55] Out of memory: Killed process 4471 (tomcat) total-vm:8123456kB => Which process was killed for lack of RAM?
sshd[901]: Failed password for invalid user oracle from 203.0.113.77 port 40022 => Who tried to break in over SSH?
<order id="A-7719"><ship method="pigeon"/><gift wrap="true"/></order> => How is order A-7719 delivered?
SMART: /dev/sdc Reallocated_Sector_Ct 248 FAILING_NOW => Which drive is about to die?
{"name":"Ines","roles":["auditor"],"mfa":false,"last_login":null} => Whose account has never been used?
certbot: The certificate for shop.example.test will be renewed on 2026-05-02 => Next TLS renewal of the shop
SELECT sum(total) FROM baskets WHERE abandoned; -- 18,402.55 => What were the unfinished purchases worth?
temperature,sensor\n4.1,fridge-a\n11.8,fridge-b\n3.9,fridge-c => Which refrigerator is too warm?
W0412 pool.cc:77] connection 12 returned twice => double free of a connection
CRON[2210]: (root) CMD (/opt/rotate-keys.sh) => Which script changes the keys regularly?
BGP: neighbor 198.51.100.9 Down - hold timer expired => routing peer lost
replicas: 0 # scaled down for the holidays, set back to 6 => How many instances should run after the break?
const TAX = { NL: 0.21, DE: 0.19, LU: 0.17 }; => VAT rate of Luxembourg in the code
ffmpeg: Stream #0:1(ger): Audio: ac3, 48000 Hz, 5.1(side), 448 kb/s => Language of the sound track
pg_dump: error: query failed: ERROR: permission denied for table wages => Which table could the backup not read?
iptables -A INPUT -s 192.0.2.0/24 -j DROP => Which network is blocked by the firewall?
Battery 0: Discharging, 7%, 00:21:10 remaining => How long until the laptop goes off?
{"geo":{"lat":59.91,"lon":10.75},"label":"depot"} => Coordinates of the depot
git: 3 files changed, 812 insertions(+), 4 deletions(-) vendored parser => How many lines did the third-party parser add?
prometheus: alert=HighLatency value=2.7s labels={route="/search"} => Which endpoint is slow?
zfs: pool tank state DEGRADED, scrub repaired 0B, 1 device removed => Health of the storage pool
MAIL FROM:<noreply@example.test> 550 5.7.1 SPF check failed => Why are our messages refused?
DHCPACK on 10.3.0.88 to 5c:f9:38:aa:10:07 (kitchen-tablet) via br0 => IP of the device in the kitchen
[Unit]\nDescription=Greenhouse watering\nAfter=network.target => Which system unit waters plants?
assert len(moves) == 20, "opening position" => How many moves are there at the start of chess?
units: {"width":"in","weight":"lb"} # Ohio plant only => Where do we measure in pounds?
mqtt: topic=home/door/back payload=OPEN retained => Which entrance is not shut?
Exit code 137 (SIGKILL) step "bundle assets" => Which build step was terminated?
Accept-Language: gsw-CH;q=0.9 => Which dialect does the browser prefer?
x-ratelimit-remaining: 3\nx-ratelimit-reset: 1774890000 => How many more calls may I make?
dpkg: libvips42 8.15.1-1 half-configured => Which package is installed only in part?
ledger row 5521 | debit 90.00 | credit 0.09 | memo typo? => Which booking may have a misplaced decimal point?
typedef enum { IDLE, SPIN_UP, WASH, RINSE, DRY } phase_t; => States of the washing machine
BACKUP OK - last=2h ago size=41GiB target=glacier-eu => Where do the backups go?
`;
