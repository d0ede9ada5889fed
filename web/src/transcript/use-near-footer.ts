import { useEffect, type RefObject } from 'react'

/** Marks the footer of the message under the pointer, so that its actions show: its rows have no common element. */
export function useNearFooter(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current
    const mark = (message: string | undefined) => {
      for (const footer of element?.querySelectorAll<HTMLElement>('[data-kind=footer]') ?? [])
        footer.toggleAttribute('data-near', message !== undefined && footer.dataset['message'] === message)
    }
    const over = ({ target }: PointerEvent) =>
      mark((target as Element).closest<HTMLElement>('[data-message]')?.dataset['message'])
    const leave = () => mark(undefined)
    element?.addEventListener('pointerover', over, { passive: true })
    element?.addEventListener('pointerleave', leave, { passive: true })
    return () => {
      element?.removeEventListener('pointerover', over)
      element?.removeEventListener('pointerleave', leave)
    }
  }, [scroller])
}
