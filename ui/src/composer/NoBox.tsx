/**
 * In the place of the box, where none is: a thread that has ended takes nothing, and says so.
 */
import { useDrops } from '../attachments/dropping';

export function NoBox() {
  useDrops(null);
  return null;
}
