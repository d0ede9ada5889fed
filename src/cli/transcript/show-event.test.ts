import { expect, it } from 'vitest'
import type { Entry } from '../../protocol/entry.ts'
import type { Event, EventOf } from '../../protocol/event.ts'
import type {
  ApprovalId,
  ConnectionId,
  EntryId,
  InteractionId,
  ManipulationId,
  PromptId,
  RuleId,
  SessionId,
} from '../../protocol/ids.ts'
import type { Proposal } from '../../protocol/manipulation.ts'
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

it('[O3] shows changes of the session and its rules', () => {
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

it('[A13] shows in one line how an agent got the conversation, and nothing if it continues its own session', () => {
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

/** The one line that an event is shown as. */
function lineOf(event: Event): string {
  const lines = show([event]).trimEnd().split('\n')
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

const interaction = 'i' as InteractionId

it('[O3] shows a new name of the session, and when it is archived and restored', () => {
  expect(lineOf({ type: 'session-renamed', title: 'Fix\u001b the bug' })).toBe('renamed to “Fix␛ the bug”')
  expect(lineOf({ type: 'session-archived' })).toBe('archived')
  expect(lineOf({ type: 'session-restored' })).toBe('restored')
})

it('[O3] shows a queued prompt with its text and files, and that it was cancelled', () => {
  const prompt = 'p' as PromptId
  const url = 'data:image/png;base64,AAEC'
  const queued = lineOf({
    type: 'prompt-queued',
    prompt,
    parts: [
      { type: 'text', text: 'And the\u001b tests' },
      { type: 'file', url, mediaType: 'image/png', filename: 'a.png' },
    ],
  })
  expect(queued).toMatch(/^queued: And the␛ tests .*image\/png/)
  expect(queued).not.toContain('AAEC')
  expect(lineOf({ type: 'prompt-withdrawn', prompt })).toContain('prompt')
})

it('[X5] shows how many turns were merged, and from where', () => {
  const merged = { type: 'interactions-merged', from: 'other' as SessionId, seq: 9, chunks: [] } as const
  expect(lineOf({ ...merged, interactions: [interaction, interaction] })).toMatch(/^2 turns .*other/)
})

it('[A18] shows that an agent waits because all slots are taken', () => {
  expect(lineOf({ type: 'place-awaited', interaction, places: 4 })).toMatch(/^waiting .*4 agents/)
})

it('[T6] shows an approval that timed out, with the reason', () => {
  expect(
    lineOf({ type: 'approval-lapsed', approval: 'a' as ApprovalId, reason: 'The agent\u001b ended.' }),
  ).toMatch(/^\? a: .*The agent␛ ended\.$/)
})

it('[S10] shows rules of an older version that no longer apply, with the reason', () => {
  expect(lineOf({ type: 'rules-dropped', rules: ['r' as RuleId], reason: 'Ask again.', chunks: [] })).toBe(
    'Ask again.',
  )
})

const proposal: Proposal = {
  actor: { kind: 'policy', name: 'default' },
  strategy: 'covered\u001b',
  interactions: [interaction],
  parts: ['one', 'two'],
  to: 'superseded',
  rendering: { how: 'clear', moment: 'now' },
  reason: 'read again',
  trigger: null,
  replacedBy: null,
  causedBy: null,
}

it('[X8] shows each context change: what, how much, and why', () => {
  const applied: Event = {
    type: 'manipulation-applied',
    manipulation: 'm' as ManipulationId,
    before: [],
    tokens: 900,
    effective: 'applied',
    ...proposal,
  }
  expect(lineOf(applied)).toBe('2 parts superseded · read again')
  expect(lineOf({ ...applied, rendering: { how: 'keep', moment: 'now' } })).toBe(
    '2 parts superseded, still sent · read again',
  )
  expect(
    lineOf({ type: 'manipulation-rejected', ...proposal, code: 'pinned', why: 'It is pinned.' }),
  ).toMatch(/refused \(covered␛\) · It is pinned\.$/)
  expect(
    lineOf({
      type: 'manipulation-rolled-back',
      rollback: 'b' as ManipulationId,
      manipulations: ['m' as ManipulationId],
      actor: { kind: 'person', name: 'me' },
      reason: 'I need it.',
    }),
  ).toMatch(/^1 change .*· I need it\.$/)
  expect(
    lineOf({
      type: 'validity-changed',
      target: { interaction },
      to: 'invalidated',
      by: 'person',
      reason: 'wrong branch',
      replacedBy: null,
    }),
  ).toMatch(/^turn i is .*invalidated.* · wrong branch$/)
})

it('[R1] shows how long saving was delayed, and why', () => {
  expect(lineOf({ type: 'saving-delayed', milliseconds: 12_000, code: 'disk-full' })).toMatch(
    /12.* s \(disk-full\)$/,
  )
})

it('[A14] shows an agent that fails between interactions with its exit code, and not a normal exit', () => {
  const exited = (code: number | null): Event => ({
    type: 'agent-exited',
    connection: 'c' as ConnectionId,
    code,
    signal: null,
    reason: null,
    chunks: [],
  })
  expect(lineOf(exited(3))).toMatch(/agent .*code 3$/)
  expect(show([exited(0)])).toBe('')
  expect(show([exited(null)])).toBe('')
})

it('[T5] shows that someone asked the agent to stop', () => {
  expect(lineOf({ type: 'interrupt-requested', interaction })).toMatch(/^■ .*stop/)
})

it('[J9] skips an event of a newer version', () => {
  expect(show([{ type: 'invented-later' } as never])).toBe('')
})
