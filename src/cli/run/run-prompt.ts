import { randomUUID } from 'node:crypto'
import { follow } from '../../journal/follow.ts'
import type { Approval } from '../../projections/approvals.ts'
import type { CommandOf } from '../../protocol/command.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { Outcome } from '../../protocol/event.ts'
import type { InteractionId, SessionId } from '../../protocol/ids.ts'
import { askPerson } from '../ask/ask-person.ts'
import type { Answer } from '../ask/dialogue.ts'
import { createInterviewer, type Interviewer } from '../ask/interviewer.ts'
import { createLineSource } from '../ask/line-source.ts'
import type { ExitCode } from '../command.ts'
import type { EntryView } from '../entry-view.ts'
import type { House } from '../open-house.ts'
import type { EndCause, Shell } from '../shell.ts'
import { inertLine } from '../terminal/inert.ts'
import { watchTroubles } from './watch-troubles.ts'

/** A prompt on its way. */
export interface PromptRun {
  readonly house: House
  readonly session: SessionId
  /** The entry after which is shown. */
  readonly after: number
  readonly prompt: string
  readonly view: EntryView
  readonly shell: Shell
  /** Whether there is a person to be asked. */
  readonly interactive: boolean
}

/** Runs a prompt to the end of its interaction, and gives the exit code that tells how it went. */
export async function runPrompt(run: PromptRun): Promise<ExitCode> {
  const { house, session, prompt, shell } = run
  const quit = new AbortController()
  let cause: EndCause | null = null
  using _guard = shell.guard(now => {
    if (now === 'interrupt' && cause === null) stopAgent(run)
    else quit.abort()
    cause = now
  })
  using lines = run.interactive ? createLineSource(shell.stdin) : null
  const answer = (asked: Approval, moot: AbortSignal) =>
    lines === null ? deny(run, asked) : askPerson({ lines, out: shell.out, view: run.view }, asked, moot)
  await using interviewer = createInterviewer({ answer, give: (asked, given) => give(run, asked, given) })

  using _alarm = watchTroubles(house.sessions, session, trouble => shell.err.write(`${inertLine(trouble)}\n`))
  const id = randomUUID()
  await house.sessions.execute({
    type: 'prompt',
    session,
    prompt: id,
    parts: [{ type: 'text', text: prompt }],
  })
  const outcome = await watch(run, id, interviewer, quit.signal)
  return outcome === 'finished' || cause === 'reader-gone' ? 0 : 1
}

/** Shows entries until the interaction of a prompt has ended, or there is no more reason to. */
async function watch(
  { house, session, after, view }: PromptRun,
  prompt: string,
  interviewer: Interviewer,
  signal: AbortSignal,
): Promise<Outcome | null> {
  let ours: InteractionId | null = null
  for await (const entries of follow(house, session, after, { signal }))
    for (const entry of entries) {
      await view.show(entry)
      interviewer.hear(entry)
      const { event } = entry
      if (event.type === 'interaction-started' && event.prompt === prompt) ours = event.interaction
      if (event.type === 'interaction-ended' && event.interaction === ours) return event.outcome
    }
  return null
}

function stopAgent({ house, session, shell }: PromptRun): void {
  shell.err.write('\nStopping the agent. Press Ctrl-C again to quit.\n')
  house.sessions.execute({ type: 'interrupt', session }).catch((error: unknown) => say(shell, error))
}

async function deny({ shell }: PromptRun, { tool }: Approval): Promise<Answer> {
  shell.err.write(`Denied ${inertLine(tool)}: there is no terminal to ask in.\n`)
  return { approved: false, reason: 'Nobody could be asked: there is no terminal.' }
}

async function give({ house, session, shell }: PromptRun, { id }: Approval, answer: Answer): Promise<void> {
  try {
    const command = { type: 'answer', session, approval: id, ...answer } as CommandOf<'answer'>
    await house.sessions.execute(command)
  } catch (error) {
    // Someone else was faster; the journal tells who.
    if (!isDragomanError(error, 'approval-settled')) say(shell, error)
  }
}

const say = ({ err }: Shell, error: unknown) =>
  err.write(`${inertLine(error instanceof Error ? error.message : String(error))}\n`)
