/** What a file change would do to the file as it was when Claude asked. */
export type FilePreview = {
  /** Absent when there is nothing to compare with, or too much. The diff is unified, without the names of the file. */
  change?: { added: number; removed: number; diff: string };
  /** What a diff cannot say: that the file is new, or that the edit will fail. */
  notes: string[];
};
