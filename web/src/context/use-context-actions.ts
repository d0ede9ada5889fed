import { useMemo } from 'react'
import {
  createSessionContext,
  type Change,
  type ContextCommands,
  type RollbackWish,
} from 'dragoman/client/context'
import { useClient } from 'dragoman/react'
import { saveFile } from '../ui/save-file.ts'
import { toast, toastError } from '../ui/toast.ts'
import { mergeWords, rollbackWords } from './words.ts'

/** Context changes; each reports its result, or why it was refused. */
export interface ContextActions extends Pick<ContextCommands, 'recall'> {
  readonly change: (change: Change, done: string) => Promise<void>
  readonly rollBack: (request: RollbackWish) => Promise<void>
  readonly merge: (from: string) => Promise<void>
  readonly saveInteraction: (interaction: string) => Promise<void>
}

/** The context changes a user can make in a session. */
export function useContextActions(session: string): ContextActions {
  const client = useClient()
  return useMemo(() => {
    const commands = createSessionContext(client, session)
    const rollBack = (request: RollbackWish): Promise<void> =>
      commands.rollBack(request).then(({ rollback, manipulations }) => {
        const again = rollback === null ? null : () => void rollBack({ manipulations: [rollback] })
        toast(rollbackWords(manipulations), { action: again && { label: 'Undo', run: again } })
      }, toastError)
    return {
      recall: commands.recall,
      rollBack,
      change: (change, done) =>
        commands.change(change).then(({ manipulations }) => {
          const undo = () => void rollBack({ manipulations })
          toast(done, { action: manipulations.length === 0 ? null : { label: 'Undo', run: undo } })
        }, toastError),
      merge: from =>
        commands.merge(from).then(({ interactions }) => toast(mergeWords(interactions)), toastError),
      saveInteraction: async interaction => {
        try {
          const response = await commands.exportInteraction(interaction)
          saveFile(await response.blob(), `interaction-${interaction}.jsonl`)
        } catch (error) {
          toastError(error)
        }
      },
    }
  }, [client, session])
}
