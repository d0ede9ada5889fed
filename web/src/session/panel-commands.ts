import { useCommands } from '../commands/command.ts'
import type { PanelName, UsedPanel } from './panel-choice.ts'

const names: readonly (readonly [name: PanelName, title: string, keys: string])[] = [
  ['work-log', 'Work log', 'l'],
  ['context', 'Context', 'x'],
  ['inspector', 'Raw inspector', 'r'],
]

/** Offers each tab of the panel; what is shown already is closed again. */
export function usePanelCommands({ isOpen, shown, show, open }: UsedPanel): void {
  useCommands(
    names.map(([name, title, keys]) => ({
      id: `panel-${name}`,
      title,
      group: 'Session',
      keys,
      run: () => (isOpen && shown === name ? open(false) : show(name)),
    })),
  )
}
