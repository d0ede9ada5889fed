import { useState } from 'react'

/** A choice that this browser keeps, as text. Anything invalid is for the caller to refuse. */
export function useKept(name: string, usual: string): readonly [string, (choice: string) => void] {
  const key = `dragoman:${name}`
  const [chosen, set] = useState(() => read(key) ?? usual)
  const choose = (choice: string) => {
    set(choice)
    try {
      localStorage.setItem(key, choice)
    } catch {
      // Without storage, the choice lasts as long as the page.
    }
  }
  return [chosen, choose]
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Without storage, nothing was kept.
    return null
  }
}
