-- Up to where the log has been told, whoever's events are in it still: an erasure takes its owner's, also the last of all, and
-- whoever had read up to there was told that it is gone.
alter table event_log add column last_position bigint;
update event_log set last_position = greatest(cleared_to, (select max(position) from events));
alter table event_log alter column last_position set not null;
