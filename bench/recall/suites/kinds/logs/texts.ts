import { framesOf } from "../grammar.ts";

/** What follows a slash is the form asked for in words. */
export const SLOTS = {
  service:
    "checkout-api/the shop's till service;ledger/the bookkeeping service;auth-proxy/the login gateway;media-store/the picture storage;notify/the alert sender;geo-index/the map search;quota/the limits service;mailer/the letter sender;scorer/the ranking service;sync-agent/the replication helper",
  host: "web-01;web-07;db-03;db-12;edge-ams-2;edge-sin-4;batch-5;cache-9;gpu-2;nas-1;ci-14;vpn-3",
  event:
    "payment declined/card refused;token expired/login no longer valid;queue overflow/backlog too large;checksum mismatch/corrupted content;replica lag/copy behind the original;rate limit hit/too many calls;index rebuilt/search data made anew;disk almost full/little storage left;handshake failed/no secure connection;schema drift/tables differ from what is expected;leader elected/new head of the cluster;snapshot written/copy saved",
  key: "max_inflight;read_timeout_ms;shard_count;eviction_policy;log_level;replication_factor;grace_period;burst_size;min_replicas;tls_min_version;batch_window;prefetch_rows",
  word: "strict;lenient;lru;lfu;warn;debug;eager;lazy;round_robin;sticky",
  product:
    "hex bolt M8/fastener;copper elbow/pipe bend;felt pad/furniture glide;ball valve/shut-off;cable tie/strap;wall plug/dowel;paint roller/decorating tool;door hinge/joint of an entrance;fuse 10 A/circuit protector;sanding disc/abrasive sheet",
  town: "Aldermoor;Beckford;Castleton;Dunmore;Fairhaven;Glenbrook;Holbrook;Kingsford;Larkhill;Millbrook",
  fn: "clampRange;parseOffset;mergeSpans;foldCase;rollKeys;packHeader;drainQueue;splitQuery;signBlob;nextLease",
  job: "nightly-vacuum/clean-up at night;invoice-run/billing;cert-renewal/new certificates;geo-import/loading of maps;report-export/delivery of figures;thumb-build/small pictures;mail-digest/summary letters;index-compact/shrinking of search data",
  code: "E4012;E5190;E2207;E7731;E6604;E1058;E9346;E3321;E8075;E2963;E4450;E7102",
  user: "u_81f3;u_20c9;u_7ab4;u_55e0;u_c1d8;u_9e27;u_3f6a;u_b402;u_64d1;u_e893",
} as const;

/** Log lines, JSON, YAML, tables and code: asked for by identifier or value, and by meaning. */
export const FRAMES = framesOf(
  String.raw`
2026-03-{a:10-28}T{b:10-23}:{c:10-59}:07Z ERROR {service}[{p:1000-9999}] {host}: {event} code={code} user={user} || Mar {a:10-28} {b:10-23}:{c:10-59}:07 {host} {service}: level=error code={code} msg="{event}" user={user} => {code} {service} {host} || Which user hit {code} on {host} ({service})? => When did {service~} on {host} report {event~}?
{"service":"{service}","host":"{host}","event":"{event}","duration_ms":{a:120-9800},"user":"{user}"} || {"ts":17{b:10000000-99999999},"svc":"{service}","node":"{host}","msg":"{event}","took":{a:120-9800},"uid":"{user}"} => {service} {event} {user} {host} || How long did "{event}" take in {service} on {host}? => What happened in {service~} on {host} that amounts to {event~}?
# {service}.yaml\n{service}:\n  {key}: {a:11-970}\n  mode: {word}\n  hosts: [{host}, {host2}] => {key} of {service} || What is {key} in {service}.yaml? => Which number is configured as {key} for {service~}?
| item | stock | town |\n|---|---|---|\n| {product} | {a:101-989} | {town} |\n| {product2} | {b:101-989} | {town2} | => stock of {product} in {town}, {product2} in {town2} || How many {product} are there in {town} where {town2} has {product2}? => How much of the {product~} lies in {town} and of the {product2~} in {town2}?
export function {fn}(value: number, limit = {a:11-970}): number {\n  // {event}\n  return value > limit ? limit : value;\n} || def {fn}(value, limit={a:11-970}):\n    """Guards against {event}."""\n    return min(value, limit) => {fn} limit for {event} || Default limit of {fn} against "{event}"? => Which function protects from {event~}, {fn}?
job={job} run={a:10000-99999} status=failed after {b:21-590}s on {host}: {event} || [{job}] run {a:10000-99999} FAILED ({b:21-590} s, {host}) {event} => {job} failed on {host} || Why did {job} fail on {host}? => What went wrong with the {job~} on {host}?
GET /v2/{user}/exports 50{e:0-4} {a:120-9800}ms {host} trace=tr-{t:100000-999999} || {host} "GET /v2/{user}/exports HTTP/1.1" 50{e:0-4} rt={a:120-9800} trace=tr-{t:100000-999999} => tr-{t:100000-999999} || Which host served trace tr-{t:100000-999999}? => Who could not download data through {host}, {user}?
[{service}]\n{key} = {a:11-970} ; was {b:11-970} before {code}\n{key2} = {word} => {service} {key} {code} || What was {key} of {service} before {code}? => Which setting of {service~} was changed after incident {code}?
`.trim(),
);

/** Other entries. */
export const NOISE: readonly string[] = `
2026-03-{a:10-28}T{b:10-23}:{c:10-59}:41Z INFO {service}[{p:1000-9999}] {host}: heartbeat ok
{"service":"{service}","host":"{host}","event":"started","pid":{p:1000-9999}}
GET /health 200 {1-9}ms {host}
job={job} run={10000-99999} status=ok after {2-400}s on {host}
{host}: cpu {2-99}% mem {2-99}% load {0-9}.{10-99}
DEBUG {service} {fn}({1-900}) -> {1-900}
{key}: {11-970}
WARN {host} clock skew {2-90} ms
user={user} action=login host={host} result=ok
| {product} | {101-989} | {town} |
`
  .trim()
  .split("\n");
