import type { Step } from '../script.ts'
import { say } from './saying.ts'

/** The conversation is compacted. */
export const compaction: readonly Step[] = [
  say('This conversation is long, so I compact it. '),
  {
    type: 'notice',
    level: 'info',
    code: 'compacted',
    message: 'The conversation was replaced by a summary. It had 184,210 tokens and has 9,870 now.',
  },
  say('I continue from the summary. You still have every message. '),
]

/** Problems that do not end the answer. */
export const warning: readonly Step[] = [
  {
    type: 'notice',
    level: 'warning',
    code: 'rate-limit',
    message: 'The model is busy. Retrying in 2 seconds.',
  },
  say('That took a little longer. '),
]
