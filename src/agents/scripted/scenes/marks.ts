import type { Step } from '../script.ts'
import { say } from './saying.ts'

/** The conversation is compacted. */
export const compaction: readonly Step[] = [
  say('Our talk has become long, so I sum it up. '),
  {
    type: 'notice',
    level: 'info',
    code: 'compacted',
    message: 'The conversation was replaced by a summary. It had 184,210 tokens and has 9,870 now.',
  },
  say('I go on from the summary; you still have every word. '),
]

/** Problems that do not end the answer. */
export const warning: readonly Step[] = [
  {
    type: 'notice',
    level: 'warning',
    code: 'rate-limit',
    message: 'The model is busy. The request is tried again in 2 seconds.',
  },
  say('That took a little longer, but here I am. '),
]
