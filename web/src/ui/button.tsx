import type { ButtonHTMLAttributes, ReactElement, Ref } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

/** How a button looks: the one thing to do, one of several, almost text, or something that cannot be taken back. */
export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

/** What a button may be given. */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind
  readonly small?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

/** A button with words. */
export const Button = ({
  kind = 'plain',
  small = false,
  className,
  type = 'button',
  ...rest
}: ButtonProps): ReactElement => (
  <button
    type={type}
    className={classNames(styles['button'], styles[kind], small && styles['small'], className)}
    {...rest}
  />
)

/** A button that is only a picture; its name is told to screen readers and on hover. */
export const IconButton = ({
  label,
  className,
  children,
  type = 'button',
  ...rest
}: Omit<ButtonProps, 'kind' | 'small'> & { readonly label: string }): ReactElement => (
  <button
    type={type}
    className={classNames(styles['icon'], className)}
    aria-label={label}
    title={label}
    {...rest}
  >
    {children}
  </button>
)
