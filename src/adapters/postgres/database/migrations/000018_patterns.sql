-- Whether a value begins with one text, ends with another and has others in order between them: what LIKE tells of a
-- pattern cut at its wildcards. LIKE compares a part with each place of the value letter by letter, which takes the product of
-- their lengths; `position` of bytes compares as fast as memory is read. In UTF-8 bytes and characters match alike.
-- Each part is taken at its first place, which leaves the most room for those after it. Null: one was not there.
create function matches_parts(value text, first bytea, middle bytea[], last bytea) returns boolean
  language plpgsql immutable strict parallel safe as $$
declare
  rest bytea := convert_to(value, 'UTF8');
  part bytea;
begin
  if length(rest) < length(first) + length(last)
    or substr(rest, 1, length(first)) <> first
    or substr(rest, length(rest) - length(last) + 1) <> last
  then
    return false;
  end if;
  rest := substr(rest, length(first) + 1, length(rest) - length(first) - length(last));
  foreach part in array middle loop
    rest := substr(rest, nullif(position(part in rest), 0) + length(part));
  end loop;
  return rest is not null;
end;
$$;
