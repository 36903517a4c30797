import { Icon, type IconName } from '../controls/Icon';

type SelectTriggerContentProps = { icon: IconName | undefined; shown: string };

export function SelectTriggerContent({ icon, shown }: SelectTriggerContentProps) {
  return (
    <>
      {icon && <Icon name={icon} />}
      <span className="Select-value" data-wide={icon && true}>
        {shown}
      </span>
      <Icon name="chevron-down" />
    </>
  );
}
