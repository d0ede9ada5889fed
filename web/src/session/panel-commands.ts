import { useCommands } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import type { PanelName, UsedPanel } from './panel-choice.ts'

const names: readonly PanelName[] = ['work-log', 'context', 'inspector']

/** Offers each tab of the panel; what is shown already is closed again. */
export function usePanelCommands({ isOpen, shown, show, open }: UsedPanel): void {
  useCommands(
    names.map(name => ({
      ...keyed(`panel-${name}`),
      run: () => (isOpen && shown === name ? open(false) : show(name)),
    })),
  )
}
