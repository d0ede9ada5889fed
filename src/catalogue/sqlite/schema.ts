import { usageTables } from './usage-schema.ts'

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
  `
  -- Each tool call and its result, as the work log tells of it: facts of a few words, no inputs and no outputs.
  create table tool_call (
    session text not null,
    thread text not null,
    message text not null,
    call text not null,
    interaction text,
    tool text not null,
    -- What the tool is for, whatever its agent calls it.
    family text not null,
    subject text not null,
    start_seq integer not null,
    start_at integer not null,
    -- The place among all that its entry tells.
    place integer not null,
    ready_seq integer,
    ready_at integer,
    -- When it could run: its input known, its approval given.
    run_at integer not null,
    approval text,
    asked_seq integer,
    asked_at integer,
    answered_seq integer,
    answered_at integer,
    approved integer,
    end_seq integer,
    end_at integer,
    closed integer not null default 0,
    result text,
    mark text,
    outcome text not null,
    duration integer,
    primary key (session, message, call, thread)
  ) strict, without rowid;
  create index tool_call_place on tool_call (session, start_seq, place);
  create index tool_call_outcome on tool_call (session, outcome, start_seq, place);
  create index tool_call_tool on tool_call (session, tool, start_seq, place);
  create index tool_call_family on tool_call (session, family, start_seq, place);
  create index tool_call_interaction on tool_call (session, interaction, start_seq, place);
  create index tool_call_thread on tool_call (session, thread, start_seq, place) where thread <> '';
  create index tool_call_approval on tool_call (session, approval) where approval is not null;

  -- Each interaction; its messages and its work are in their own tables.
  create table interaction (
    session text not null,
    id text not null,
    started_by text not null,
    agent text not null,
    prompt text,
    start_seq integer not null,
    start_at integer not null,
    stop_seq integer,
    stop_at integer,
    outcome text,
    reason text,
    -- Whether the whole counts, and the parts that were made to count again after it was said not to.
    whole text not null default 'active',
    revived text not null default '[]',
    state text as (
      case when stop_seq is null then 'open' when outcome = 'interrupted' then 'aborted' else 'closed' end),
    validity text as (case when revived = '[]' then whole else 'active' end),
    primary key (session, id)
  ) strict, without rowid;
  create index interaction_place on interaction (session, start_seq);
  create index interaction_state on interaction (session, state, start_seq);
  `,
  `
  -- Each change of what counts, those refused and those that take others back included: the audit.
  create table manipulation (
    session text not null,
    seq integer not null,
    at integer not null,
    kind text not null,
    -- Null for one that was refused.
    id text,
    actor text not null,
    owner text,
    tool text,
    -- What its parts were made; null where it only says what is sent, or takes back.
    mark text,
    -- The one that it followed from.
    caused_by text,
    -- Whether it was taken back; what a rollback really took back.
    off integer not null default 0,
    reverts text,
    event text not null,
    primary key (session, seq)
  ) strict, without rowid;
  create unique index manipulation_id on manipulation (session, id) where id is not null;
  create index manipulation_kind on manipulation (session, kind, seq);
  create index manipulation_tool on manipulation (session, tool, seq) where tool is not null;
  create index manipulation_cause on manipulation (session, caused_by) where caused_by is not null;

  -- What each is about: a 'part', an 'interaction', a 'whole' interaction, or a manipulation that it switches ('flip').
  create table manipulation_target (
    session text not null,
    what text not null,
    name text not null,
    seq integer not null,
    primary key (session, what, name, seq)
  ) strict, without rowid;
  create index manipulation_target_of on manipulation_target (session, seq);

  -- Each request that a model was sent, as far as its context was made here.
  create table context_request (
    session text not null,
    seq integer not null,
    at integer not null,
    step integer not null,
    tokens_before integer not null,
    tokens_after integer not null,
    facts text not null,
    primary key (session, seq)
  ) strict, without rowid;
  create index context_request_step on context_request (session, step, seq);

  -- What a part became, from one request until another.
  create table context_decision (
    session text not null,
    part text not null,
    seq integer not null,
    place integer not null,
    until_seq integer,
    decision text not null,
    tokens text,
    primary key (session, part, seq)
  ) strict, without rowid;
  create index context_decision_place on context_decision (session, seq, place);
  `,
  `
  -- What each message used, by the last that it told.
  create table spent (
    session text not null,
    thread text not null,
    message text not null,
    interaction text,
    agent text not null,
    model text,
    -- When it was first told, and the entry that told it last; what is exact outweighs what is not.
    at integer not null,
    seq integer not null,
    exact integer not null,
    cost real,
    tokens_input integer not null,
    tokens_output integer not null,
    tokens_cache_read integer not null,
    tokens_cache_write integer not null,
    -- Whether it was used in another session, from which it was copied.
    copied integer not null default 0,
    primary key (session, message, thread)
  ) strict, without rowid;
  create index spent_at on spent (at);

  alter table interaction add column copied integer not null default 0;
  create index interaction_at on interaction (start_at);

  alter table tool_call add column agent text not null default '';
  alter table tool_call add column copied integer not null default 0;
  -- There are many, so that they are counted without being looked up.
  create index tool_call_at on tool_call (start_at, session, tool, agent, outcome, duration, copied);
  `,
  `
  -- What is needed to list approvals across sessions, and to read one without reading its whole session.
  alter table approval add column asked_at integer not null default 0;
  -- The place among all chunks of the entry that asked.
  alter table approval add column place integer not null default 0;
  alter table approval add column interaction text;
  alter table approval add column call text;
  alter table approval add column thread text;
  -- The entry with the input of the call; null when it is not known.
  alter table approval add column call_seq integer;
  -- The entry since which nobody needs to answer; null while it is pending.
  alter table approval add column over_seq integer;
  -- Whether it was asked in another session, from which it was copied.
  alter table approval add column copied integer not null default 0;

  update approval set
    asked_at = coalesce(tool_call.asked_at, 0), interaction = tool_call.interaction, call = tool_call.call,
    thread = tool_call.thread, call_seq = tool_call.ready_seq, copied = tool_call.copied, over_seq = end_seq
  from tool_call where tool_call.session = approval.session and tool_call.approval = approval.id;
  update approval set over_seq = settled_seq where settled_seq is not null;
  update approval set
    asked_at = coalesce((select start_at from interaction
      where interaction.session = approval.session and start_seq <= asked_seq order by start_seq desc limit 1), 0)
    where asked_at = 0;
  update approval set
    over_seq = (select min(stop_seq) from interaction
      where interaction.session = approval.session and stop_seq >= asked_seq)
    where over_seq is null;
  update approval set
    place = (select count(*) from approval as other
      where other.session = approval.session and other.asked_seq = approval.asked_seq and other.id < approval.id);

  create index approval_newest on approval (asked_at, session, asked_seq, place);
  create index approval_pending on approval (asked_at, session, asked_seq, place) where over_seq is null;
  `,
  usageTables,
  `
  -- The newest report of each limit of a subscription.
  create table usage_limit (
    agent text not null,
    name text not null,
    -- The used share, and the moment when it starts again; null if unknown.
    used real,
    resets_at integer,
    reached integer not null,
    at integer not null,
    primary key (agent, name)
  ) strict, without rowid;
  `,
  `
  -- Whether a person keeps it at the top of the list. Few sessions are.
  alter table session_summary add column pinned integer not null default 0;
  create index session_pinned on session_summary (created_at desc, session desc) where pinned = 1;
  `,
]
