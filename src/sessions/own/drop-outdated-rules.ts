import { isDragomanError } from '../../protocol/error.ts'
import type { Event } from '../../protocol/event.ts'
import type { Host } from '../host.ts'
import type { SessionWriter } from './session-writer.ts'

/**
 * Drops rules of an older version, which covered every folder or every input of a tool. They answer nothing any more; this
 * tells the person, once, in the newest answer of the session.
 */
export async function dropOutdatedRules(host: Host, writer: SessionWriter): Promise<void> {
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
