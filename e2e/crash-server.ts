import { writeSync } from 'node:fs'
import { catalogueMigrations } from '../src/catalogue/sqlite/schema.ts'
import { createSqliteCatalogue } from '../src/catalogue/sqlite/sqlite-catalogue.ts'
import { createBell } from '../src/journal/bell.ts'
import { follow } from '../src/journal/follow.ts'
import { openSqliteJournal } from '../src/journal/sqlite/open-sqlite-journal.ts'
import { writerSteps, type WriterStep } from '../src/journal/sqlite/writer-messages.ts'
import { chunksOf, type Event } from '../src/protocol/event.ts'
import type { PromptId, SessionId } from '../src/protocol/ids.ts'
import { openSessions } from '../src/sessions/sessions.ts'
import { chatter } from './chatter.ts'
import type { CrashTask, Told } from './crash-task.ts'

// A server that is going to be killed: it prints what its clients saw and what was acknowledged to them.
const { folder, cursors, acknowledged, crashAt } = JSON.parse(process.argv[2] ?? '') as CrashTask
/** At once and whole, because the next moment may be the last one. */
function tell(told: Told) {
  const line = Buffer.from(`${JSON.stringify(told)}\n`)
  for (let sent = 0; sent < line.length;) {
    try {
      sent += writeSync(1, line, sent)
    } catch (error) {
      // The pipe is full: the parent will read.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}

const isWriterStep = (step: string): step is WriterStep => (writerSteps as readonly string[]).includes(step)
let left = crashAt === null || isWriterStep(crashAt.step) ? 0 : crashAt.occurrence
const fault =
  crashAt !== null && isWriterStep(crashAt.step)
    ? { step: crashAt.step, occurrence: crashAt.occurrence }
    : undefined

const bell = createBell()
const journal = await openSqliteJournal({
  folder,
  bell,
  components: [{ name: 'catalogue', migrations: catalogueMigrations }],
  checkpointPages: 200,
  onTrouble: error => tell({ type: 'trouble', message: error.message }),
  ...(fault && { fault }),
})
const sessions = await openSessions({
  journal,
  catalogue: createSqliteCatalogue(journal.tables),
  agents: [chatter],
  dataFolder: folder,
  recent: journal.recent,
  limits: { places: Object.keys(cursors).length },
  checkpoint: step => {
    if (step === crashAt?.step && --left === 0) process.kill(process.pid, 'SIGKILL')
  },
})
tell({ type: 'serving' })

async function watch(session: SessionId, after: number) {
  for await (const entries of follow({ journal, bell }, session, after, {
    signal: new AbortController().signal,
  })) {
    tell({ type: 'seen', session, entries: entries.map(({ seq, id }) => [seq, id]) })
    for (const { event } of entries) answerAll(session, event)
  }
}

/** Approves what is asked; an approval that was settled before is refused. */
function answerAll(session: SessionId, event: Event) {
  for (const { chunk } of chunksOf(event))
    if (chunk.type === 'tool-approval-request')
      void sessions
        .execute({ type: 'answer', session, approval: chunk.approvalId, approved: true })
        .catch(() => undefined)
}

async function chat(session: SessionId) {
  for (const prompt of acknowledged[session] ?? []) {
    const { repeated } = await say(session, prompt as PromptId)
    if (!repeated) tell({ type: 'lost-prompt', session, prompt })
  }
  for (;;) {
    const prompt = `p-${process.pid}-${crypto.randomUUID()}` as PromptId
    await say(session, prompt)
    tell({ type: 'acknowledged', session, prompt })
    if (Math.random() < 0.2) await sessions.execute({ type: 'interrupt', session })
    await sessions.whenIdle(session)
  }
}

const say = (session: SessionId, prompt: PromptId) =>
  sessions.execute({ type: 'prompt', session, prompt, parts: [{ type: 'text', text: 'talk' }] })

for (const [name, cursor] of Object.entries(cursors)) {
  const session = name as SessionId
  // A session whose creation was acknowledged, or of which anything was seen, must be there.
  if (cursor === null) {
    await sessions.execute({ type: 'create', session, agent: 'chatter', cwd: folder }).catch(() => undefined)
    tell({ type: 'seen', session, entries: [] })
  }
  void watch(session, Math.max((cursor ?? 0) - 1, 0))
  void chat(session)
}
