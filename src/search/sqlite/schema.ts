/** A database of another version is thrown away and made again. */
export const indexVersion = 2

/**
 * The tables of the index. The id of a part begins with its time, in blocks of about seventy minutes, so that the newest
 * texts are found first, whenever they were indexed. Within a block, ids have no gaps, which keeps the index small.
 */
export const schema = `
  create table session (
    no integer primary key,
    id text not null unique,
    seq integer not null,
    state text not null,
    agent text,
    folder text,
    status text,
    cost real,
    deleted integer not null
  ) strict;

  -- The thread is '' in the main conversation. A title belongs to a message without a name.
  create table message (
    no integer primary key,
    session integer not null,
    thread text not null,
    id text not null
  ) strict;
  create unique index message_name on message (session, id, thread);

  create table tool (no integer primary key, name text not null unique, family text not null) strict;
  create table file (no integer primary key, paths text not null unique) strict;

  create table part (
    id integer primary key,
    session integer not null,
    message integer not null,
    kind integer not null,
    name text not null,
    tool integer,
    file integer,
    at integer not null,
    first integer not null,
    seq integer not null
  ) strict;
  create index part_message on part (message);

  -- Which words a text has, and which three signs follow each other in it; both without places.
  create virtual table word using fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  );
  create virtual table gram using fts5 (
    signs, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
  );
  insert into word (word, rank) values ('hashsize', 16777216);
  insert into gram (gram, rank) values ('hashsize', 16777216);
`
