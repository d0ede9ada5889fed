/** What is needed to list approvals across sessions; rows of older versions get it from the tables beside theirs. */
export const approvalMigration = `
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
  `
