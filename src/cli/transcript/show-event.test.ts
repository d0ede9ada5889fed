import { expect, it } from 'vitest'
import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import type { ApprovalId, EntryId, InteractionId, RuleId, SessionId } from '../../protocol/ids.ts'
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
    { type: 'rule-made', rule: 'r' as RuleId, tool: 'Bash', command: 'ls', approval: 'a' as ApprovalId },
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
    'branched off from session other at message m␛1',
    'from now on with codex',
    '↶ all after message m2 is replaced',
    '↶ begun again: all above is replaced',
    'always allowed from now on: Bash with ls',
    '? a: allowed as always',
    'what was always allowed is asked again',
    'deleted',
    'taken back from the deleted',
  ])
    expect(shown.split('\n')).toContain(line)
})
