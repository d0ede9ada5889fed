import { useEffect, useSyncExternalStore } from 'react'

/** The themes of the page. */
export type Theme = 'light' | 'dark'

/** The user's choice; `system` follows the operating system. */
export type ThemeChoice = Theme | 'system'

/** The storage key; `public/theme.js` reads it before the first paint. */
const kept = 'dragoman:theme'

const changed = 'dragoman:theme-changed'

const isTheme = (text: string | null | undefined): text is Theme => text === 'light' || text === 'dark'

function choiceNow(): ThemeChoice {
  const { theme } = document.documentElement.dataset
  return isTheme(theme) ? theme : 'system'
}

const prefersDark = () => window.matchMedia('(prefers-color-scheme: dark)')

function themeNow(): Theme {
  const choice = choiceNow()
  return choice === 'system' ? (prefersDark().matches ? 'dark' : 'light') : choice
}

/** Applies a choice and saves it. */
export function chooseTheme(choice: ThemeChoice): void {
  wear(choice)
  try {
    if (choice === 'system') localStorage.removeItem(kept)
    else localStorage.setItem(kept, choice)
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}

function wear(choice: ThemeChoice): void {
  const { dataset } = document.documentElement
  if (choice === 'system') delete dataset['theme']
  else dataset['theme'] = choice
  window.dispatchEvent(new Event(changed))
}

function subscribe(listener: () => void): () => void {
  const system = prefersDark()
  const elsewhere = ({ key, newValue }: StorageEvent) =>
    key === kept && wear(isTheme(newValue) ? newValue : 'system')
  system.addEventListener('change', listener)
  window.addEventListener(changed, listener)
  window.addEventListener('storage', elsewhere)
  return () => {
    system.removeEventListener('change', listener)
    window.removeEventListener(changed, listener)
    window.removeEventListener('storage', elsewhere)
  }
}

/** The current theme, the user's choice, and how to change it. */
export interface UsedTheme {
  readonly theme: Theme
  readonly choice: ThemeChoice
  readonly choose: (choice: ThemeChoice) => void
}

/** The current theme, live; a choice in another tab applies here too. */
export function useTheme(): UsedTheme {
  return {
    theme: useSyncExternalStore(subscribe, themeNow),
    choice: useSyncExternalStore(subscribe, choiceNow),
    choose: chooseTheme,
  }
}

/** Lets the frame around the page, which phones and installed apps colour, go with it. */
export function useFrameColour(): void {
  const { theme } = useTheme()
  useEffect(() => {
    const colour = colourOf('--paper')
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]'))
      meta.content = colour
  }, [theme])
}

/** The current color of a custom property in `tokens.css`, for code that can't read it, such as a canvas. */
export function colourOf(token: `--${string}`): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
