import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Event } from '../../protocol/event.ts'
import { eventsClosingLeftOver } from './close-connections.ts'
import { refuseDeleted } from '../commands/delete-session.ts'
import { movedAway, unsaved } from '../agent/ending.ts'
import type { Host } from '../host.ts'
import { nextPrompt } from '../agent/job.ts'
import type { OwnedSession } from './owned-session.ts'
import { startNext } from '../agent/run-interaction.ts'
import { readState } from '../view/session-view.ts'
import { openSessionWriter, type SessionWriter } from './session-writer.ts'
import { watchQuestions } from '../agent/watch-questions.ts'

/** Takes ownership of a session. Only this, and never a read, closes what a dead owner left running. */
export async function claimSession(
  host: Host,
  session: SessionId,
  spawn: OwnedSession['spawn'],
): Promise<OwnedSession> {
  const { lost } = await host.ownership.claim(session)
  const { state, isBehind } = await readState(host, session)
  let owned: OwnedSession | undefined
  const writer = openSessionWriter({
    host,
    from: state,
    isBehind,
    stuck: error => owned?.agent?.end(unsaved(error, host.limits.saveMs)),
    saved: entries => owned && watchQuestions(owned, entries),
  })
  if (eventsClosingLeftOver(writer.state).length > 0) {
    await host.checkpoint?.('before-recover')
    await writer.write(appender => appender.append(eventsClosingLeftOver(writer.state)))
    await host.checkpoint?.('after-recover')
  }
  await dropOutdatedRules(host, writer)

  const claimed: OwnedSession = {
    host,
    record: writer,
    writer,
    lost,
    get trouble() {
      return writer.trouble
    },
    get isConnected() {
      return claimed.agent?.isConnected === true
    },
    write: work =>
      writer.write(appender => {
        refuseLost(lost, session)
        refuseDeleted(writer)
        return work(appender)
      }),
    held: new Set(writer.state.queue.map(({ prompt }) => prompt)),
    spawn,
    proceed() {
      const isFree = writer.state.summary.running === null && !host.stopping.aborted
      if (isFree && nextPrompt(writer.state, claimed.held) !== undefined) spawn(() => startNext(claimed))
    },
    agent: null,
    starting: null,
    interrupted: null,
  }
  const letGo = () => {
    claimed.starting?.abort()
    claimed.agent?.end(movedAway)
  }
  lost.addEventListener('abort', letGo, { once: true })
  owned = claimed
  return claimed
}

function refuseLost(lost: AbortSignal, session: SessionId): void {
  if (lost.aborted)
    throw new DragomanError('not-owner', `Session ${session} belongs to another node now. Try again.`)
}

/**
 * Drops rules of an older version, which covered every folder or every input of a tool. They no longer answer anything. A notice
 * in the newest answer of the session says so, once.
 */
async function dropOutdatedRules(host: Host, writer: SessionWriter): Promise<void> {
  if (writer.state.outdatedRules.length === 0) return
  await writer.settled()
  const { messages } = await host.catalogue.messages(writer.session, { thread: null, limit: 10 })
  const newest = messages.find(({ role }) => role === 'assistant')?.id ?? null
  try {
    await writer.write(appender => appender.append([dropped(writer.state.outdatedRules, newest)]))
  } catch (error) {
    // A session must stay readable when nothing can be saved; the notice follows when it is next claimed.
    if (!isDragomanError(error, 'disk-full', 'save-failed')) throw error
  }
}

function dropped(rules: SessionWriter['state']['outdatedRules'], message: string | null): Event {
  const count = rules.length === 1 ? '1 "always" rule' : `${rules.length} "always" rules`
  const reason = `${count} of an earlier version dropped: they allowed more than the call that you approved. You will be asked again.`
  const data = { level: 'warning', code: 'rules-dropped', message: reason } as const
  const notice = [
    { type: 'start', messageId: message ?? '' },
    { type: 'data-notice', data },
    { type: 'finish', finishReason: 'other' },
  ] as const
  const chunks = message === null ? [] : notice.map(chunk => ({ thread: null, chunk }))
  return { type: 'rules-dropped', rules, reason, chunks }
}
