/** The tables that estimates of costs need, and indexes for questions about usage. */
export const usageTables = `
  -- Each request to a model, where an agent reports single requests: its price may depend on its size and on its time.
  create table model_request (
    session text not null,
    thread text not null,
    message text not null,
    id text not null,
    model text,
    -- When it was first reported, and the entry that reported it last.
    at integer not null,
    seq integer not null,
    tokens_input integer not null,
    tokens_output integer not null,
    tokens_cache_read integer not null,
    tokens_cache_write integer not null,
    -- What of it was written to the cache to stay for an hour.
    hour_writes integer not null,
    primary key (session, message, thread, id)
  ) strict, without rowid;
  create index model_request_at on model_request (at);
  
  -- The git branch of a session, from an entry on.
  create table session_branch (
    session text not null,
    seq integer not null,
    branch text not null,
    primary key (session, seq)
  ) strict, without rowid;

  -- Few calls change files, fail or ask a person, so that these are found without reading all calls.
  create index tool_call_edit on tool_call (start_at) where family in ('edit', 'write');
  create index tool_call_failed on tool_call (start_at) where outcome = 'failure';
  create index tool_call_asked on tool_call (start_at) where asked_at is not null;
`
