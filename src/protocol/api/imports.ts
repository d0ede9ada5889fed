import * as z from 'zod/mini'

/** How far an import is, as programs get it. */
const progress = z.object({
  id: z.string(),
  startedAt: z.number(),
  /** Null while it waits or runs. */
  endedAt: z.nullable(z.number()),
  /** How many transcripts there are; null while it searches. */
  total: z.nullable(z.int()),
  done: z.int(),
  bytes: z.int(),
  bytesDone: z.int(),
  /** Lines that were added, and lines that could not be read. */
  lines: z.int(),
  skipped: z.int(),
  /** Files that could not be read, or only in part. */
  failed: z.int(),
  /** How many transcripts were new, grown, unchanged, empty, elsewhere, deleted or continued. */
  outcomes: z.record(z.string(), z.optional(z.int())),
  /** Why lines were skipped or files could not be read, and how often: the most frequent reasons first. */
  reasons: z.array(z.object({ reason: z.string(), count: z.int() })),
  /** Whether it waits to be continued. */
  paused: z.boolean(),
  /** Why it ended early; null if it did not. */
  failure: z.nullable(z.object({ code: z.string(), message: z.string() })),
})

/** Whether new transcripts, and new lines in known ones, become sessions here by themselves, and what decided it. */
const following = z.object({
  on: z.boolean(),
  by: z.enum(['configuration', 'person', 'first-import']),
})

const note = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('imported'),
    agent: z.string(),
    file: z.string(),
    session: z.string(),
    outcome: z.enum(['new', 'grown', 'unchanged', 'empty', 'elsewhere', 'deleted', 'continued']),
    lines: z.int(),
  }),
  z.object({
    type: z.literal('skipped'),
    file: z.string(),
    line: z.int(),
    reason: z.string(),
    /** Whether everything after it is unreadable, too. */
    isEnd: z.optional(z.boolean()),
  }),
  z.object({ type: z.literal('unread'), file: z.string(), reason: z.string() }),
])

/** The replies of the calls about imports. */
export const importReplies = {
  listImports: z.object({
    found: z.array(
      z.object({
        agent: z.string(),
        sessions: z.int(),
        bytes: z.int(),
        /** When the oldest and the newest of them changed last. */
        from: z.number(),
        to: z.number(),
        /** How many are sessions here already. */
        imported: z.int(),
      }),
    ),
    running: z.nullable(progress),
    /** All imports that wait, run or ended lately, the newest first. */
    imports: z.array(progress),
    following,
  }),
  changeImports: z.object({ following }),
  changeImport: z.object({ import: progress }),
  startImport: z.object({ import: progress }),
  getImport: z.object({ import: progress, notes: z.array(note) }),
  stopImport: z.object({ import: progress }),
} as const
