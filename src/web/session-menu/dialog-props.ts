export interface SessionDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}
