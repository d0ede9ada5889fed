/** The catalogue's tables, one script per version, forward only. Every row can be made again from the journal. */
export const catalogueMigrations: readonly string[] = [
  `
  -- What a list shows of a session; \`state\` is all that is known of it at \`seq\`, to go on from there.
  create table session_summary (
    session text primary key,
    seq integer not null,
    status text not null,
    agent text not null,
    title text,
    cwd text not null,
    archived integer not null,
    agent_session text,
    cost real,
    tokens_input integer not null,
    tokens_output integer not null,
    tokens_cache_read integer not null,
    tokens_cache_write integer not null,
    created_at integer not null,
    updated_at integer not null,
    state_version integer not null,
    state text not null
  ) strict;
  create index session_newest on session_summary (created_at desc, session desc);
  create index session_unfinished on session_summary (session) where status in ('running', 'waiting');

  -- Where each message lies in the journal; its words are not copied. The thread is the parent tool call, '' the
  -- main conversation.
  create table message (
    session text not null,
    id text not null,
    thread text not null,
    role text not null,
    parent text,
    synthetic integer not null,
    agent text not null,
    metadata text not null,
    interaction text not null,
    first_seq integer not null,
    last_seq integer,
    validity text not null,
    primary key (session, id, thread)
  ) strict, without rowid;
  create index message_place on message (session, thread, first_seq);
  create index message_interaction on message (session, interaction);

  -- Where each approval was asked and settled.
  create table approval (
    session text not null,
    id text not null,
    asked_seq integer not null,
    settled_seq integer,
    primary key (session, id)
  ) strict, without rowid;

  -- The agents' own names for sessions; one session can have several over time.
  create table agent_session (
    agent text not null,
    agent_session text not null,
    session text not null,
    primary key (agent, agent_session, session)
  ) strict, without rowid;
  create index agent_session_of on agent_session (session);
  `,
  `
  -- Whether an agent is there: if its server dies, someone must tell of its end.
  alter table session_summary add column connected integer not null default 0;
  drop index session_unfinished;
  create index session_unfinished on session_summary (session)
    where status in ('running', 'waiting') or connected = 1;
  `,
  `
  -- Whether a person deleted it. Nothing is destroyed.
  alter table session_summary add column deleted integer not null default 0;

  -- The interaction that took a message's place in the conversation, and the entry at which it did.
  alter table message add column replaced_by text;
  alter table message add column replaced_seq integer;
  `,
]
