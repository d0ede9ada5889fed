import type { Catalogue } from '../catalogue/catalogue.ts'
import { catchUp } from '../catalogue/catch-up.ts'
import type { DragomanError } from '../protocol/error.ts'
import type { SessionId } from '../protocol/ids.ts'
import { closeLeftOver } from './close-connections.ts'
import { refuseDeleted } from './delete-session.ts'
import { dropOutdatedRules } from './drop-outdated-rules.ts'
import { unsaved } from './ending.ts'
import type { Host } from './host.ts'
import { nextPrompt } from './job.ts'
import { createKeeper } from './keep.ts'
import { openLine } from './line.ts'
import type { LiveSession } from './live-session.ts'
import { startNext } from './run-interaction.ts'

/** Opens a session from the journal. What a dead server left running is closed first, so that its state is true. */
export async function openSession(
  host: Host,
  session: SessionId,
  spawn: LiveSession['spawn'],
): Promise<LiveSession> {
  const { state, isBehind } = await readState(host, session)
  const line = openLine(host, state, isBehind)
  const stuck = (error: DragomanError) => live?.agent?.end(unsaved(error, host.limits.saveMs))
  const keeper = createKeeper(line, { ...host.limits, stuck, now: host.now, signal: host.stopped })
  let live: LiveSession | undefined
  if (closeLeftOver(line.state).length > 0) {
    await host.checkpoint('before-recover')
    await keeper.wish(pen => pen.append(closeLeftOver(line.state)))
    await host.checkpoint('after-recover')
  }
  await dropOutdatedRules(host, line, keeper)

  const opened: LiveSession = {
    host,
    line,
    keeper,
    wish: work =>
      keeper.wish(pen => {
        refuseDeleted(line)
        return work(pen)
      }),
    keep: tell => keeper.keep(tell),
    held: new Set(line.state.queue.map(({ prompt }) => prompt)),
    spawn,
    proceed() {
      const isFree = line.state.summary.running === null && !host.stopping.aborted
      if (isFree && nextPrompt(line.state, opened.held) !== undefined) spawn(() => startNext(opened))
    },
    agent: null,
    starting: null,
    interrupted: null,
  }
  live = opened
  return opened
}

/** A full disk must not keep a session from being read: its rows then stay behind until they can be mended. */
async function readState({ journal, catalogue }: Host, session: SessionId) {
  let isBehind = false
  const forgive = () => {
    isBehind = true
  }
  const lenient: Catalogue = {
    ...catalogue,
    save: changes => catalogue.save(changes).catch(forgive),
    forget: id => catalogue.forget(id).catch(forgive),
  }
  const state = await catchUp({ journal, catalogue: lenient }, session)
  return { state, isBehind }
}
