import { lazy, Suspense, type ReactElement, useEffect, useState } from 'react'
import { useClient } from 'dragoman/react'
import { Attention } from './approvals/attention.tsx'
import { canBeSession, usePlace, type Place } from './places.ts'
import { ConnectionBanner } from './frame/connection-banner.tsx'
import { SessionPage } from './session/session-page.tsx'
import { NoSuchSession } from './session/session-states.tsx'
import { NewSession } from './sessions/new-session.tsx'
import { useSessionCommands } from './sessions/session-commands.ts'
import { Sidebar } from './sessions/sidebar.tsx'
import { Empty, Loading } from './ui/empty.tsx'
import { PaneBoundary } from './ui/pane-boundary.tsx'
import { PlaceLink } from './ui/place-link.tsx'
import { useRescuedFocus } from './ui/rescue-focus.ts'
import { PageToasts } from './ui/toasts.tsx'
import { useLost } from './ui/use-lost.ts'
import { usePhone } from './ui/use-media.ts'
import { Welcome } from './welcome/welcome.tsx'
import styles from './app.module.css'
import { useWaiting, useFaces } from './session-summary/use-faces.ts'
import { SidePane } from './frame/side-pane.tsx'
import { usePlaceName, windowTitle } from './frame/page-name.ts'
import { Menu as Lines, Plus } from 'lucide-react'
import { openNewSession, useNewSessionOpen } from './sessions/new-session-door.ts'
import { IconButton } from './ui/button.tsx'
import topBar from './frame/top-bar.module.css'
import { Dialog } from './ui/dialog.tsx'

const ReplayPage = lazy(async () => ({
  default: (await import('./replay/replay-page.tsx')).ReplayPage,
}))
const DashboardPage = lazy(async () => ({
  default: (await import('./dashboard/dashboard-page.tsx')).DashboardPage,
}))
const ApprovalsPage = lazy(async () => ({
  default: (await import('./approvals-page/approvals-page.tsx')).ApprovalsPage,
}))

const SettingsPage = lazy(async () => ({
  default: (await import('./settings/settings-page.tsx')).SettingsPage,
}))

/** The frame of the app: the session list next to the page, or in a drawer on a phone. */
export function App(): ReactElement {
  const place = usePlace()
  const isPhone = usePhone()
  const lost = useLost(useClient())
  const drawer = useDrawer()
  useSessionCommands()
  useRescuedFocus(place)
  const session = place.page === 'session' ? place.session : null
  return (
    <div className={styles['app']} data-lost={lost === null ? undefined : ''}>
      <WindowTitle />
      <Attention />
      <SkipLink />
      {isPhone ? (
        <SessionDrawer drawer={drawer} />
      ) : (
        <SidePane>
          {edge => (
            <PaneBoundary what="The session list">
              <Sidebar edge={edge} />
            </PaneBoundary>
          )}
        </SidePane>
      )}
      {/* `inert` blocks interaction under the drawer; `aria-hidden` hides it from screen readers. */}
      <div className={styles['rest']} inert={drawer.isOpen} aria-hidden={drawer.isOpen || undefined}>
        {isPhone && <TopBar onSessions={() => drawer.open(true)} />}
        <ConnectionBanner session={session} />
        <main id="main" tabIndex={-1} className={styles['main']}>
          <PaneBoundary key={place.page} what="This page">
            <Suspense fallback={<Loading what="the page" />}>
              <Page place={place} />
            </Suspense>
          </PaneBoundary>
        </main>
        <PageToasts />
      </div>
      <NewSession />
    </div>
  )
}

const SkipLink = (): ReactElement => (
  <a
    href="#main"
    className={styles['skip']}
    onClick={event => {
      event.preventDefault()
      document.querySelector<HTMLElement>('#main')?.focus()
    }}
  >
    Skip to content
  </a>
)

function Page({ place }: { readonly place: Place }): ReactElement {
  if ('session' in place && !canBeSession(place.session)) return <NoSuchSession />
  switch (place.page) {
    case 'session': {
      const { session, message, interaction, found } = place
      return (
        <SessionPage key={session} id={session} message={message} interaction={interaction} found={found} />
      )
    }
    case 'approvals':
      return <ApprovalsPage />
    case 'welcome':
      return <Welcome />
    case 'dashboard':
      return <DashboardPage />
    case 'settings':
      return <SettingsPage />
    case 'replay':
      return <ReplayPage key={place.session} session={place.session} />
    case 'nowhere':
      return <Nowhere />
  }
}

const Nowhere = (): ReactElement => (
  <Empty as="h1" title="Nothing is at this address">
    <p>It may have been mistyped. Sessions are listed beside this page.</p>
    <PlaceLink to={{ page: 'welcome' }}>Go to the start page</PlaceLink>
  </Empty>
)

/** Sets the title of the window; renders nothing. */
function WindowTitle(): null {
  const title = windowTitle(usePlaceName(), useWaiting())
  useEffect(() => {
    document.title = title
  }, [title])
  return null
}

/** On a phone: the name of the session, which its header has no room for, and a button for the session list. */
function TopBar({ onSessions }: { readonly onSessions: () => void }): ReactElement {
  const place = usePlace()
  const name = usePlaceName()
  const waiting = useWaiting()
  return (
    <header className={topBar['bar']}>
      <nav aria-label="Sessions">
        <IconButton
          label={waiting === 0 ? 'Open sessions' : `Open sessions, ${waiting} waiting for approval`}
          aria-haspopup="dialog"
          onClick={onSessions}
        >
          <Lines size={20} aria-hidden />
          {waiting > 0 && <span className={topBar['dot']} aria-hidden />}
        </IconButton>
      </nav>
      <span className={topBar['name']}>{place.page === 'session' ? name : 'Dragoman'}</span>
      <IconButton label="New session" onClick={openNewSession}>
        <Plus size={20} aria-hidden />
      </IconButton>
    </header>
  )
}

/** Whether the drawer is open, and how it is opened and closed. */
interface UsedDrawer {
  readonly isOpen: boolean
  readonly open: (isOpen: boolean) => void
}

/** The drawer of the sessions; there is one on a phone only. */
function useDrawer(): UsedDrawer {
  const isPhone = usePhone()
  const place = usePlace()
  const isAsked = useNewSessionOpen()
  const [isOpen, open] = useState(false)
  // After a choice in the drawer the user wants to see the page.
  useEffect(() => open(false), [place, isAsked, isPhone])
  return { isOpen: isOpen && isPhone, open }
}

/** On a phone: the session list over the page, which is inert while it is open. */
function SessionDrawer({ drawer: { isOpen, open } }: { readonly drawer: UsedDrawer }): ReactElement {
  // Kept up to date, so that the drawer shows it at once.
  useFaces(useClient().sessions())
  return (
    <Dialog open={isOpen} title="Sessions" hideTitle shape="left" onClose={() => open(false)}>
      <Sidebar onClose={() => open(false)} />
    </Dialog>
  )
}
