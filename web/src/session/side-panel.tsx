import { lazy, Suspense, type MouseEvent, type ReactElement, type ReactNode } from 'react'
import { X } from 'lucide-react'
import type { Session } from 'dragoman/client'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Loading } from '../ui/empty.tsx'
import { PaneBoundary } from '../ui/pane-boundary.tsx'
import { Tabs, type Tab } from '../ui/tabs.tsx'
import type { PanelName, UsedPanel } from './panel-choice.ts'
import styles from './side-panel.module.css'

const OutlinePanel = lazy(async () => ({
  default: (await import('../outline/outline-panel.tsx')).OutlinePanel,
}))
const WorkLogPanel = lazy(async () => ({
  default: (await import('../work-log/work-log-panel.tsx')).WorkLogPanel,
}))
const ContextPanel = lazy(async () => ({
  default: (await import('../context/context-panel.tsx')).ContextPanel,
}))
const Inspector = lazy(async () => ({ default: (await import('../inspector/inspector.tsx')).Inspector }))

/** The panel next to a conversation: a column where there is room, else a drawer over it. */
export function SidePanel({
  session,
  panel,
  isRoomy,
}: {
  readonly session: Session
  readonly panel: UsedPanel
  readonly isRoomy: boolean
}): ReactElement | null {
  const close = () => panel.open(false)
  const tabs = (
    <Tabs label="Details" tabs={tabsOf(session, panel)} chosen={panel.shown} onChoose={panel.show} />
  )
  if (!isRoomy)
    return (
      <Dialog open={panel.isOpen} title="Details" shape="right" onClose={close}>
        <div className={styles['drawer']} onClick={event => isLed(event) && close()}>
          {tabs}
        </div>
      </Dialog>
    )
  if (!panel.isOpen) return null
  return (
    <aside className={styles['panel']} aria-label="Details">
      <h2 className="unseen">Details</h2>
      <IconButton label="Close the panel" className={styles['close']} onClick={close}>
        <X size={18} aria-hidden />
      </IconButton>
      {tabs}
    </aside>
  )
}

/** Whether a click opens a page of the app, which a drawer would cover. */
const isLed = ({ target, defaultPrevented }: MouseEvent): boolean =>
  defaultPrevented && target instanceof Element && target.closest('a') !== null

function tabsOf(session: Session, panel: UsedPanel): readonly Tab<PanelName>[] {
  return [
    {
      name: 'outline',
      label: 'Outline',
      content: () => (
        <Pane what="The outline">
          <OutlinePanel session={session} />
        </Pane>
      ),
    },
    {
      name: 'work-log',
      label: 'Work log',
      content: () => (
        <Pane what="The work log">
          <WorkLogPanel session={session} onInspect={panel.inspect} />
        </Pane>
      ),
    },
    {
      name: 'context',
      label: 'Context',
      content: () => (
        <Pane what="The context">
          <ContextPanel session={session} />
        </Pane>
      ),
    },
    {
      name: 'inspector',
      label: 'Inspector',
      content: () => (
        <Pane what="The inspector">
          <Inspector session={session} target={panel.target} onClose={() => panel.open(false)} />
        </Pane>
      ),
    },
  ]
}

const Pane = ({ what, children }: { readonly what: string; readonly children: ReactNode }): ReactElement => (
  <PaneBoundary key={what} what={what}>
    <Suspense fallback={<Loading what={what.toLowerCase()} />}>{children}</Suspense>
  </PaneBoundary>
)
