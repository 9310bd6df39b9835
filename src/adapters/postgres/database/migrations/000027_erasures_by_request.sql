-- From when on a server takes an erasure up that is not finished: whoever works on it moves the time on with each step, so
-- that what was broken off is found. What somebody asks for over the network is a server's from the beginning.
alter table erasures add column due_at timestamptz not null default now();

-- When an event was last sent to try whether its receiver answers.
alter table webhooks add column tested_at timestamptz;
