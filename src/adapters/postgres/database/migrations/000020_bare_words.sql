-- What is said where, but for case, white space, what is not seen, dashes and the marks that end sentences and quote: memories of
-- one path that may say the same have it in common, and the service compares those. Coarser than its rule, so that none
-- is missed for a mark. A hash, so that an entry is small whatever the text, and nothing of the text can be read in it.
create function bare_words(path text, content text) returns bigint
  language sql immutable strict parallel safe
  return hashtextextended(path || E'\n' || translate(lower(content), E' \t\n\r\f\u000b\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\u00ad\u200b\u200e\u200f\u2060\ufe0e\ufe0f\ufeff.,!…。｡！"''“”„‟«»‘’‚‛‹›-\u2010\u2011\u2012–—―\u2212\ufe58\ufe63', ''), 0);

-- The index is built while writes wait: seconds on a large table. What dedupe does not compare is left out. The first
-- condition always holds: it keeps the index from being taken for an owner's live memories at large.
create index memories_by_bare_words on memories (owner_id, bare_words(path, content))
  where bare_words(path, content) is not null and dedupe_hash is not null
    and (status in ('active', 'started', 'completed') or superseded_until is not null);

-- Statistics hold samples of values, which an erasure would not reach.
alter index memories_by_bare_words alter column 2 set statistics 0;
