import { expect, it } from 'vitest'
import type { Entry } from '../../protocol/entry.ts'
import type { Event, EventOf } from '../../protocol/event.ts'
import type {
  ApprovalId,
  ConnectionId,
  EntryId,
  InteractionId,
  RuleId,
  SessionId,
} from '../../protocol/ids.ts'
import { plainStyle } from '../terminal/style.ts'
import { createTranscript } from './transcript.ts'

function show(events: readonly Event[]): string {
  const transcript = createTranscript(plainStyle, 100)
  const entryOf = (event: Event, index: number): Entry => ({
    session: 's' as SessionId,
    seq: index + 1,
    id: `${index}` as EntryId,
    at: 0,
    event,
  })
  return events.map((event, index) => transcript.take(entryOf(event, index))).join('')
}

it('[O3] tells what became of the session and of its rules', () => {
  const started = {
    type: 'interaction-started',
    interaction: 'i' as InteractionId,
    trigger: 'user',
    agent: 'scripted',
    prompt: null,
    parts: [],
  } as const
  const shown = show([
    { type: 'session-branched', from: 'other' as SessionId, message: 'm\u001b1', seq: 5, chunks: [] },
    { type: 'agent-assigned', agent: 'codex' },
    { ...started, parent: 'm2' },
    { ...started, parent: null },
    {
      type: 'rule-made',
      rule: 'r' as RuleId,
      agent: 'codex',
      tool: 'Bash',
      input: { command: 'ls' },
      approval: 'a' as ApprovalId,
    },
    {
      type: 'approval-answered',
      approval: 'a' as ApprovalId,
      approved: true,
      reason: null,
      always: false,
      by: 'rule',
    },
    { type: 'rule-revoked', rule: 'r' as RuleId },
    { type: 'session-deleted' },
    { type: 'session-undeleted' },
  ])
  for (const line of [
    'branched from session other at message m␛1',
    'agent changed to codex',
    '↶ replaces everything after message m2',
    '↶ started over: replaces everything above',
    'always allowed in this session: Bash with ls',
    '? a: allowed by a rule',
    'rule revoked',
    'deleted',
    'undeleted',
  ])
    expect(shown.split('\n')).toContain(line)
})

it('[A13] how an agent came to know the conversation is one line, and nothing when its own session goes on', () => {
  const handed = (more: Partial<EventOf<'conversation-handed-over'>>): Event => ({
    type: 'conversation-handed-over',
    interaction: 'i' as InteractionId,
    agent: 'codex',
    connection: 'c' as ConnectionId,
    how: 'transcript',
    agentSession: null,
    transcript: null,
    ...more,
  })
  expect(show([handed({ how: 'resumed', agentSession: 'theirs' })])).toBe('')
  expect(show([handed({ how: 'forked', agentSession: 'theirs' })])).toBe(
    'codex continues with a copy of its session\n',
  )
  const transcript = { messages: 2, characters: 900, omitted: 0 }
  expect(show([handed({ transcript })])).toBe('codex received the conversation so far: 2 messages\n')
  expect(show([handed({ transcript: { ...transcript, messages: 1, omitted: 7 } })])).toBe(
    'codex received the conversation so far: 1 message; 7 earlier left out\n',
  )
})
