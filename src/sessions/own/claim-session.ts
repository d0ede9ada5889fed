import { DragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { closeLeftOver } from './close-connections.ts'
import { refuseDeleted } from '../commands/delete-session.ts'
import { dropOutdatedRules } from './drop-outdated-rules.ts'
import { movedAway, unsaved } from '../agent/ending.ts'
import type { Host } from '../host.ts'
import { nextPrompt } from '../agent/job.ts'
import type { OwnedSession } from './owned-session.ts'
import { startNext } from '../agent/run-interaction.ts'
import { readState } from '../view/session-view.ts'
import { openSessionWriter } from './session-writer.ts'
import { watchQuestions } from '../agent/watch-questions.ts'

/**
 * Takes ownership of a session. Only here, and never on a read, is closed what a dead owner left running, so that the state is
 * true for what is done next.
 */
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
  if (closeLeftOver(writer.state).length > 0) {
    await host.checkpoint('before-recover')
    await writer.write(appender => appender.append(closeLeftOver(writer.state)))
    await host.checkpoint('after-recover')
  }
  await dropOutdatedRules(host, writer)

  const claimed: OwnedSession = {
    host,
    record: writer,
    lost,
    get trouble() {
      return writer.trouble
    },
    get isConnected() {
      return claimed.agent !== null
    },
    write: work =>
      writer.write(appender => {
        refuseLost(lost, session)
        refuseDeleted(writer)
        return work(appender)
      }),
    appendUntilSaved: eventsFor => writer.appendUntilSaved(eventsFor),
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
