import { lazy, Suspense, type ReactElement } from 'react'
import { useClient } from 'dragoman/react'
import { Attention } from './approvals/attention.tsx'
import { canBeSession, usePlace, type Place } from './places.ts'
import { ConnectionBanner } from './frame/connection-banner.tsx'
import { SessionDrawer, useDrawer } from './frame/session-drawer.tsx'
import { SessionPage } from './session/session-page.tsx'
import { NoSuchSession } from './session/session-states.tsx'
import { TopBar } from './frame/top-bar.tsx'
import { WindowTitle } from './frame/window-title.tsx'
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

const ReplayPage = lazy(async () => ({
  default: (await import('./replay/replay-page.tsx')).ReplayPage,
}))
const DashboardPage = lazy(async () => ({
  default: (await import('./dashboard/dashboard-page.tsx')).DashboardPage,
}))
const ApprovalsPage = lazy(async () => ({
  default: (await import('./approvals-page/approvals-page.tsx')).ApprovalsPage,
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
        <div className={styles['side']}>
          <PaneBoundary what="The session list">
            <Sidebar />
          </PaneBoundary>
        </div>
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
      const { session, message, interaction } = place
      return <SessionPage key={session} id={session} message={message} interaction={interaction} />
    }
    case 'approvals':
      return <ApprovalsPage />
    case 'welcome':
      return <Welcome />
    case 'dashboard':
      return <DashboardPage />
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
