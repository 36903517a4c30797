-- A draft names its attachments by where their bytes are: JSON [Attachment]. What a file says is written once,
-- when it is sent. Words among the attachments, of one whose bytes never came, stand in the text.
UPDATE drafts SET
  text = text || coalesce(
    (SELECT group_concat(char(10, 10) || (attachment.value ->> '$.text'), '')
     FROM json_each(drafts.attachments) AS attachment
     WHERE attachment.value ->> '$.type' = 'text'), ''),
  attachments =
    (SELECT json_group_array(json_remove(attachment.value, '$.text'))
     FROM json_each(drafts.attachments) AS attachment
     WHERE attachment.value ->> '$.type' IN ('image', 'file'));
