/** A part of the database with its own version: its tables, as one migration script per version. */
export interface Component {
  readonly name: string
  readonly migrations: readonly string[]
  /** Small tables that every session needs. They are checked whenever the database is opened. */
  readonly vital?: readonly string[]
}

/** The journal's own tables. */
export const journalComponent: Component = {
  name: 'journal',
  // Together with its schema, SQLite checks its list of free pages.
  vital: ['sqlite_schema', 'component', 'setting', 'session', 'frame', 'damaged_frame', 'name'],
  migrations: [
    `
    create table setting (name text primary key, value blob not null) strict;
    insert into setting values ('pad', randomblob(10));

    create table session (
      no integer primary key,
      id text not null unique
    ) strict;

    -- The hot journal: one row per group commit, all sessions together, deleted once settled.
    create table frame (
      lsn integer primary key,
      body blob not null
    ) strict;

    -- Rows of the hot journal that could not be read when the journal was opened.
    create table damaged_frame (
      lsn integer primary key,
      damage text not null,
      body blob not null
    ) strict;

    -- Settled entries, packed. Events before raws: a reader of events need not touch the pages of the raws.
    create table segment (
      session integer not null references session (no),
      first integer not null,
      last integer not null,
      link blob not null,
      events blob not null,
      raws blob not null
    ) strict;
    create unique index segment_place on segment (session, first);

    -- Ids and keys that callers gave, so that nothing is saved twice.
    create table name (
      name text primary key,
      session integer not null references session (no),
      seq integer not null
    ) strict, without rowid;
    `,
    // No table changed: frames may be compressed from here on, which earlier versions would take for damage.
    `select 'compressed frames';`,
  ],
}
