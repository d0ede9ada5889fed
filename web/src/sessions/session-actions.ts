import type { Client } from 'dragoman/client'
import { go, placeOf } from '../places.ts'
import { inertString } from '../safety/inert-text.ts'
import { toast, toastError } from '../ui/toast.ts'
import { nameOf } from '../session-summary/session-face.ts'

/** The fields needed to act on a session. */
export interface Acted {
  readonly id: string
  readonly title: string | null
}

const isHere = (id: string) => {
  const place = placeOf(window.location.pathname)
  return (place.page === 'session' || place.page === 'replay') && place.session === id
}

/** Renames a session. */
export const renameSession = (client: Client, id: string, title: string): void =>
  void client.session(id).rename(title).catch(toastError)

/** Keeps a session at the top of the list, or no longer. */
export const pinSession = (client: Client, id: string, pinned: boolean): void =>
  void client.call('changeSession', { params: { session: id }, body: { pinned } }).catch(toastError)

/** Archives or unarchives a session; both can be undone. A running turn continues. */
export function archiveSession(client: Client, session: Acted, archived: boolean): void {
  const { archive } = client.session(session.id)
  const undo = { label: 'Undo', run: () => void archive(!archived).catch(toastError) }
  const done = archived ? `was archived.${afterwards(client, session)}` : 'was restored.'
  archive(archived).then(
    () => toast(`“${inertString(nameOf(session))}” ${done}`, { action: undo }),
    toastError,
  )
}

/** What happens to a running session that is archived. */
function afterwards(client: Client, { id }: Acted): string {
  const { status: doing, awaitsPlace = null } =
    client.running.get().sessions.find(each => each.id === id) ?? {}
  if (doing === 'waiting') return ' It stays listed until you answer or stop it.'
  if (awaitsPlace !== null) return ' It still starts when an agent slot is free.'
  return doing === undefined ? '' : ' The running turn continues.'
}

/** Restores a deleted session. */
export function bringBackSession(client: Client, session: Acted): void {
  const { id } = session
  const open = { label: 'Open', run: () => go({ page: 'session', session: id }) }
  client
    .session(id)
    .undelete()
    .then(
      () => toast(`“${inertString(nameOf(session))}” was restored.`, isHere(id) ? {} : { action: open }),
      toastError,
    )
}

/** Deletes a session; until it is forgotten this can be undone. */
export function deleteSession(client: Client, session: Acted): void {
  const { id } = session
  const wasHere = isHere(id)
  const undo = () =>
    client
      .session(id)
      .undelete()
      .then(() => wasHere && go({ page: 'session', session: id }), toastError)
  const deleted = () => {
    // Back leads to the page that restores it; it is also in the list of deleted sessions.
    if (isHere(id)) go({ page: 'welcome' })
    toast(`“${inertString(nameOf(session))}” was deleted.`, {
      action: { label: 'Undo', run: () => void undo() },
    })
  }
  client.session(id).delete().then(deleted, toastError)
}
